"""The results by complexity, category and year of competitions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from mlebench.analysis import statistics
from mlebench.analysis.estimates import interval_or_none, nan_to_none
from mlebench.analysis.facts import COMPLEXITIES
from mlebench.analysis.model import Breakdown, Part, Rate, Trend
from mlebench.analysis.rates import summarize_agent

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from mlebench.analysis.evaluation import Evaluation
    from mlebench.analysis.model import AgentSummary

Property = Literal["complexity", "category", "year"]
PROPERTIES: tuple[Property, ...] = ("complexity", "category", "year")


def break_down(evaluation: Evaluation) -> Iterator[Breakdown]:
    """Yield a breakdown by each property that some competition has.

    Each part is summarized on its own, over the seeds that are complete in it.
    """
    for name in PROPERTIES:
        values = {
            label: value
            for label, facts in evaluation.facts.items()
            if (value := getattr(facts, name)) is not None and label in evaluation.selection.counted
        }
        if not values:
            continue
        distinct = sorted(set(values.values()), key=COMPLEXITIES.index if name == "complexity" else None)
        yield Breakdown(
            by=name,
            parts=tuple(
                _part(str(value), [label for label in values if values[label] == value], evaluation)
                for value in distinct
            ),
            trends=tuple(_trend(agent, values, evaluation) for agent in evaluation.agents) if name == "year" else (),
        )


def _part(name: str, labels: list[str], evaluation: Evaluation) -> Part:
    selection = evaluation.selection.restricted_to(labels)
    competitions = selection.requested or ()
    agents = tuple(
        summarize_agent(agent, runs_in_part, selection, is_part=True)
        for agent, runs in evaluation.runs.items()
        if (runs_in_part := [run for run in runs if run.competition in competitions])
    )
    return Part(label=name, competitions=competitions, agents=agents)


def _trend(agent: AgentSummary, years: Mapping[str, int], evaluation: Evaluation) -> Trend:
    rates = evaluation.rate_by_competition(agent, Rate.ANY_MEDAL)
    medals = {label: rate for label, rate in rates.items() if label in years}
    correlation, interval = statistics.rank_correlation([years[label] for label in medals], list(medals.values()))
    return Trend(
        agent=agent.agent,
        competitions=len(medals),
        correlation=nan_to_none(correlation),
        interval=interval_or_none(interval),
    )
