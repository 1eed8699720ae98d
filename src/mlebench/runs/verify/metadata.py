"""Checking the record of a group: its runs are those of its plan, with the records that the runs have."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from mlebench.errors import MLEBenchError
from mlebench.runs.layout import METADATA
from mlebench.runs.record import GroupRecord, RunRecord, Status, digest_of
from mlebench.runs.verify.finding import Finding, find
from mlebench.tasks.ref import TaskRef

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mlebench.runs.verify.held import Held


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


def is_complete(record: GroupRecord) -> bool:
    """Tell whether the group's record has a verdict for each run: it was written after the results."""
    return all(run.status is Status.GRADED for run in record.runs.values())


def check_copies(held: Held, runs: dict[str, RunRecord]) -> Iterator[Finding]:
    """Check the copies of the runs' records in the group's own.

    They are written when the group is opened, has ended, and is closed. So a killed harness leaves older copies.
    """
    for run_id, copy in held.record.runs.items():
        run = runs.get(run_id, copy.as_planned)
        if held.record.log is not None:
            is_copy = digest_of(copy.as_file()) in _possible_copies(held, copy)
        else:
            is_finished = bool(held.record.results)
            old = run.model_copy(update={"regrades": copy.regrades})
            is_regraded = copy.regrades == run.regrades[: len(copy.regrades)] and copy == old
            is_copy = copy == run or is_regraded or (not is_finished and copy.status is not Status.GRADED)
        if not is_copy:
            yield find(METADATA, f"Its copy of {run_id} differs from the record of the run.")


def _possible_copies(held: Held, copy: RunRecord) -> list[str]:
    """Return the digests of the records of a run that the group's own record may hold.

    The last one if the group was closed; after a kill also those since the results that the group's record names.
    """
    history, planned = held.history, digest_of(copy.as_planned.as_file())
    records = [planned, *(step.record for step in history.steps.get(copy.run_id, ()))]
    if held.is_closed:
        return records[-1:]
    is_settled = history.results and held.record.results == history.results[-1]
    return records[history.settled.get(copy.run_id, 0) :] if is_settled else records
