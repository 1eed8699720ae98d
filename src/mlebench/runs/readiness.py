"""What a group needs before it starts: prepared data, and the packages of its agents."""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING

from mlebench.agents.installation import ensure_installed, find_installation
from mlebench.data import is_dataset_prepared, prepare
from mlebench.data.neutral import require_neutral
from mlebench.errors import NotPreparedError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from contextlib import AbstractContextManager

    from mlebench.agents.declaration import Agent
    from mlebench.runs.plan import Plan
    from mlebench.runs.planning import PlannedGroup
    from mlebench.tasks.competition import Competition


def make_ready(
    planned: PlannedGroup, installing: Callable[[Agent], AbstractContextManager[object]] = nullcontext
) -> None:
    """Prepare data that need no download, and install the packages of agents.

    Parameters
    ----------
    planned : PlannedGroup
        The group.
    installing : callable
        Returns the context in which the packages of an agent are installed, which may take minutes.

    Raises
    ------
    NotPreparedError
        As `ensure_prepared` raises it.
    """
    ensure_prepared(planned.plan.competitions.values(), rehearsal=planned.options.rehearsal)
    for agent in missing_packages(planned.plan):
        with installing(agent):
            ensure_installed(agent, planned.plan.sandbox, gpu=planned.plan.gpus > 0)


def ensure_prepared(competitions: Iterable[Competition], *, rehearsal: bool = False) -> None:
    """Prepare competitions whose data need no download.

    Raises
    ------
    NotPreparedError
        Other competitions are not prepared; the message names all of them. Or the order of their files may tell labels.
    """
    missing = []
    for competition in competitions:
        if competition.is_embedded or rehearsal:
            prepare(competition, rehearsal=not competition.is_embedded)
        elif not is_dataset_prepared(competition):
            missing.append(competition.label)
        else:
            require_neutral(competition)
    if missing:
        raise NotPreparedError(
            f"Not prepared: {', '.join(missing)}. Run: mlebench prepare -c {missing[0]}, "
            "or use tiny synthetic data with --rehearsal."
        )


def missing_packages(plan: Plan) -> list[Agent]:
    """Return the agents whose packages are not installed yet for the plan's sandbox."""
    return [
        agent for agent in plan.agents.values() if find_installation(agent, plan.sandbox, gpu=plan.gpus > 0) is None
    ]
