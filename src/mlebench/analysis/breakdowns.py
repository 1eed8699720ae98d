"""The results by complexity, category and year of competitions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from mlebench.analysis import statistics
from mlebench.analysis.counting import Counting
from mlebench.analysis.estimates import known, known_interval
from mlebench.analysis.facts import COMPLEXITIES
from mlebench.analysis.rates import medals_by_competition, summarize_agent
from mlebench.analysis.report import Breakdown, Part, Trend

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from mlebench.analysis.agent_summary import AgentSummary
    from mlebench.analysis.facts import CompetitionFacts
    from mlebench.analysis.results import RunResult

Field = Literal["complexity", "category", "year"]
FIELDS: tuple[Field, ...] = ("complexity", "category", "year")


def break_down(
    runs: Mapping[str, Sequence[RunResult]],
    agents: Sequence[AgentSummary],
    facts: Mapping[str, CompetitionFacts],
    counted: Collection[str],
    counting: Counting,
) -> Iterator[Breakdown]:
    """Yield a breakdown for each thing that is known of some competition.

    Each part is summarized on its own, with the seeds that are complete in it. `runs` are those of each agent.
    """
    for field in FIELDS:
        values = {
            name: value for name in facts if (value := getattr(facts[name], field)) is not None and name in counted
        }
        if not values:
            continue
        labels = sorted(set(values.values()), key=COMPLEXITIES.index if field == "complexity" else None)
        yield Breakdown(
            by=field,
            parts=tuple(
                _part(str(label), [name for name in values if values[name] == label], runs, counted, counting)
                for label in labels
            ),
            trends=tuple(_trend(agent, runs[agent.agent], values) for agent in agents) if field == "year" else (),
        )


def _part(
    label: str,
    names: list[str],
    runs: Mapping[str, Sequence[RunResult]],
    counted: Collection[str],
    counting: Counting,
) -> Part:
    wanted = counting.competitions
    within = tuple(name for name in (wanted if wanted is not None else names) if name in names)
    part = Counting(within, counting.pad_missing, counting.rehearsal)
    agents = tuple(
        summarize_agent(agent, of_it, counted, part, part=True)
        for agent, all_of_it in runs.items()
        if (of_it := [run for run in all_of_it if run.competition in within])
    )
    return Part(label=label, competitions=within, agents=agents)


def _trend(agent: AgentSummary, runs: Sequence[RunResult], years: Mapping[str, int]) -> Trend:
    medals = {name: rate for name, rate in medals_by_competition(runs, agent).items() if name in years}
    correlation, interval = statistics.rank_correlation([years[name] for name in medals], list(medals.values()))
    return Trend(
        agent=agent.agent,
        competitions=len(medals),
        correlation=known(correlation),
        interval=known_interval(interval),
    )
