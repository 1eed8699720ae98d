"""Whether the runs in the record of a group are those of its plan."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from mlebench.errors import MLEBenchError
from mlebench.tasks.ref import TaskRef

if TYPE_CHECKING:
    from mlebench.runs.record import GroupRecord


def plan_problem(record: GroupRecord) -> str | None:
    """Return how a group's runs differ from its plan; None if they do not."""
    plan = record.plan
    if not record.runs:
        return "It lists no run."
    if len(plan.agents) * len(plan.competitions) * plan.seeds != len(record.runs):
        return (
            f"It lists {len(record.runs)} runs, and its plan has {len(plan.agents)} agents, {len(plan.competitions)} "
            f"competitions and {plan.seeds} seeds."
        )
    try:
        refs = [TaskRef.parse(label) for label in plan.competitions]
    except MLEBenchError as error:
        return f"Its plan names a competition that cannot be ({error})."
    planned = itertools.product(range(plan.seeds), refs, plan.agents)
    for (run_id, run), (seed, ref, agent) in zip(record.runs.items(), planned, strict=True):
        expected = f"{ref.label}_{agent}_seed-{seed}"
        if "/" in expected or "\0" in expected or expected in (".", ".."):
            return f"The run {expected!r} cannot be a folder."
        if run_id != expected:
            return f"It lists the run {run_id!r} in place of {expected!r}, which its plan has."
        if (run.run_id, run.ref, run.agent, run.seed) != (expected, ref, agent, seed):
            return f"Its copy of {expected} is the record of another run."
    return None
