"""How much of a result rests on competitions with known problems, and what it is without them."""

from __future__ import annotations

from typing import TYPE_CHECKING, get_args

from mlebench.analysis.counting import entered_runs
from mlebench.analysis.estimates import Rate
from mlebench.analysis.rates import estimate_rates
from mlebench.analysis.report import WithoutProblem
from mlebench.errors import UnknownNameError
from mlebench.ground.wording import count
from mlebench.tasks.declaration import KnownProblem

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from mlebench.analysis.agent_summary import AgentSummary
    from mlebench.analysis.counting import Counting
    from mlebench.analysis.facts import CompetitionFacts
    from mlebench.analysis.results import RunResult

KINDS: tuple[str, ...] = get_args(KnownProblem.model_fields["kind"].annotation)


def check_kinds(kinds: Iterable[str]) -> None:
    """Raise UnknownNameError for a kind of problem that no competition can declare."""
    for kind in kinds:
        if kind not in KINDS:
            raise UnknownNameError("kind of problem", kind, KINDS)


def touched_text(problems: Iterable[WithoutProblem], agent: str) -> str | None:
    """Return how many of an agent's medals known problems touch; None if there are none."""
    of_it = [one for one in problems if one.agent == agent and one.medals_touched]
    if not of_it:
        return None
    kinds = ", ".join(f"{one.problem} {one.medals_touched}" for one in of_it)
    return f"⚑ of {count(of_it[0].medals, 'medal')} in competitions with known problems: {kinds}"


def left_out_by(kinds: Collection[str], facts: Mapping[str, CompetitionFacts]) -> dict[str, tuple[str, ...]]:
    """Return the competitions that have a problem of one of the kinds, with those kinds."""
    found = {name: tuple(kind for kind in of_it.problems if kind in kinds) for name, of_it in facts.items()}
    return {name: problems for name, problems in found.items() if problems}


def without_problems(
    runs: Mapping[str, Sequence[RunResult]],
    agents: Sequence[AgentSummary],
    facts: Mapping[str, CompetitionFacts],
    counting: Counting,
) -> Iterator[WithoutProblem]:
    """Yield each agent without the competitions of each kind of problem that one of its competitions has."""
    for agent in agents:
        entered = entered_runs(runs[agent.agent], agent, counting)
        medals = [name for (name, _), run in entered.items() if run.medal is not None]
        for kind in KINDS:
            touched = tuple(name for name in agent.competitions if kind in facts[name].problems)
            if touched:
                rest = [name for name in agent.competitions if name not in touched]
                rates = estimate_rates(entered, rest, agent.seeds_counted, (Rate.ABOVE_MEDIAN, Rate.ANY_MEDAL))
                yield WithoutProblem(
                    agent=agent.agent,
                    problem=kind,
                    competitions=touched,
                    medals=len(medals),
                    medals_touched=sum(name in touched for name in medals),
                    above_median=rates[Rate.ABOVE_MEDIAN],
                    any_medal=rates[Rate.ANY_MEDAL],
                )
