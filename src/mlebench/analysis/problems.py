"""How much of a result depends on competitions with known problems."""

from __future__ import annotations

from typing import TYPE_CHECKING, get_args

from mlebench.analysis.estimates import estimate_rates
from mlebench.analysis.model import Rate, RunKey, WithoutProblem
from mlebench.analysis.rates import success_matrix
from mlebench.errors import UnknownNameError
from mlebench.tasks.declaration import KnownProblem

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

    from mlebench.analysis.evaluation import Evaluation
    from mlebench.analysis.model import CompetitionFacts

KINDS: tuple[str, ...] = get_args(KnownProblem.model_fields["kind"].annotation)


def check_kinds(kinds: Iterable[str]) -> None:
    """Raise UnknownNameError for a kind of problem that does not exist."""
    for kind in kinds:
        if kind not in KINDS:
            raise UnknownNameError("kind of problem", kind, KINDS)


def competitions_with(kinds: Collection[str], facts: Mapping[str, CompetitionFacts]) -> dict[str, tuple[str, ...]]:
    """Return the competitions with a problem of one of the kinds, by label, with those kinds."""
    found = {label: tuple(kind for kind in known.problems if kind in kinds) for label, known in facts.items()}
    return {label: problems for label, problems in found.items() if problems}


def without_problems(evaluation: Evaluation) -> Iterator[WithoutProblem]:
    """Yield each agent's result without the competitions that have a kind of problem, for each kind that occurs."""
    rates = (Rate.ABOVE_MEDIAN, Rate.ANY_MEDAL)
    for agent in evaluation.agents:
        entered = evaluation.entered_runs(agent)
        medals = [key.competition for key, run in entered.items() if run.medal is not None]
        for kind in KINDS:
            touched = tuple(label for label in agent.competitions if kind in evaluation.facts[label].problems)
            if not touched:
                continue
            others = [label for label in agent.competitions if label not in touched]
            grid = [[entered.get(RunKey(agent.agent, label, seed)) for seed in agent.seeds_counted] for label in others]
            above_median, any_medal = estimate_rates(success_matrix(grid, len(agent.seeds_counted), rates))
            yield WithoutProblem(
                agent=agent.agent,
                problem=kind,
                competitions=touched,
                medals=len(medals),
                medals_touched=sum(label in touched for label in medals),
                above_median=above_median,
                any_medal=any_medal,
            )
