"""Checking the folder of a group: the plan, the group's log, and what belongs to no single run."""

from __future__ import annotations

import fcntl
import itertools
import os
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mlebench.errors import MLEBenchError, RunError
from mlebench.runs.chain import Chain, read_chain
from mlebench.runs.group_log import digest_of_records
from mlebench.runs.history import History
from mlebench.runs.layout import DERIVED, GROUP_LOG, LOCK, METADATA, OPTIONS
from mlebench.runs.leftovers import is_leftover_file
from mlebench.runs.record import GroupRecord, RunRecord, Status, digest_of
from mlebench.runs.untrusted import Kind, MiB, list_folder, open_file, read_digest
from mlebench.runs.verify.finding import Finding, below, find, read_model
from mlebench.runs.verify.results import NAMES, Results, check_results
from mlebench.runs.verify.run import Known, RunCheck, check_run
from mlebench.tasks.ref import TaskRef

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

MAX_METADATA = 1024 * MiB
MAX_OPTIONS = 64 * MiB
TRIES = 5
"""Checks of a run whose harness works on it meanwhile."""


@dataclass(frozen=True, slots=True)
class Held:
    """The record of a group and its log, as they are on disk."""

    folder: Path
    record: GroupRecord
    chain: Chain | None
    """None for a group without a log."""
    history: History

    def known(self, run_id: str) -> Known:
        """Return what the group says about a run."""
        steps = tuple(self.history.steps.get(run_id, ())) if self.record.log else None
        return Known(self.record.runs[run_id].as_planned, self.record.head_digest(), steps)


def check_group(folder: Path) -> Iterator[Finding]:
    """Yield what is wrong with a group; `folder` is its resolved path."""
    try:
        record, content = read_model(folder / METADATA, GroupRecord, MAX_METADATA)
    except RunError as error:
        yield find(METADATA, str(error))
        return
    if content != record.as_file().encode():
        yield find(METADATA, "It was changed: mlebench writes it in another form.")
    if problem := _plan_problem(record):
        yield find(METADATA, problem)
        return
    held = _hold(folder, record)
    checks = {run_id: _check_run(held, run_id) for run_id in record.runs}
    for run_id, done in checks.items():
        yield from below(run_id, done.findings)
    found = list(_of_group(folder, checks))
    for _ in range(TRIES):
        if not found or not _is_busy(folder):
            break
        found = list(_of_group(folder, checks))
    yield from found


def check_run_of_group(folder: Path) -> Iterator[Finding]:
    """Yield what is wrong with one run of a group; `folder` is the run's resolved path."""
    try:
        record, _ = read_model(folder.parent / METADATA, GroupRecord, MAX_METADATA)
    except RunError as error:
        yield find(f"../{METADATA}", str(error))
        return
    if (problem := _plan_problem(record)) or folder.name not in record.runs:
        yield find(f"../{METADATA}", problem or "It does not list this run.")
        return
    yield from _check_run(_hold(folder.parent, record), folder.name).findings


def _hold(folder: Path, record: GroupRecord) -> Held:
    """Read a group's log, without trust; what is wrong with it is found later."""
    chain = None
    if record.log is not None:
        with suppress(RunError):
            chain = read_chain(folder / GROUP_LOG)
    return Held(folder, record, chain, History.of(chain.links if chain else ()))


def _check_run(held: Held, run_id: str) -> RunCheck:
    copy = held.record.runs[run_id]
    if not os.path.lexists(held.folder / run_id):
        has_started = run_id in held.history.steps or copy != copy.as_planned
        return RunCheck(findings=[find("", "The folder of this run is missing.")] if has_started else [])
    done = check_run(held.folder / run_id, held.known(run_id))
    for _ in range(TRIES):
        if not done.findings or not _is_busy(held.folder):
            break
        done = check_run(held.folder / run_id, _hold(held.folder, held.record).known(run_id))
    return done


def _plan_problem(record: GroupRecord) -> str | None:
    """Return how a group's runs differ from its plan; None if they do not."""
    plan = record.plan
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


def _of_group(folder: Path, checks: dict[str, RunCheck]) -> Iterator[Finding]:
    """Check what belongs to no single run."""
    try:
        present = list_folder(folder)
        record, _ = read_model(folder / METADATA, GroupRecord, MAX_METADATA)
    except RunError as error:
        yield find(METADATA, str(error))
        return
    held = _hold(folder, record)
    has_begun = any(run_id in present for run_id in record.runs)
    if record.log is not None:
        yield from _log(held, has_begun=has_begun)
        ahead = [run_id for run_id, done in checks.items() if done.is_ahead]
        parallel = held.history.options[-1].get("parallel") if held.history.options else 1
        if len(ahead) > (parallel if isinstance(parallel, int) else 1):
            yield find(GROUP_LOG, f"It ends before the last steps of {len(ahead)} runs, such as {ahead[0]}.")
    elif GROUP_LOG in present:
        yield find(GROUP_LOG, f"{METADATA} does not name a log.")
    yield from _options(held, present)
    runs = {run_id: done.run for run_id, done in checks.items() if done.run is not None}
    yield from _copies(held, runs)
    if all(not done.findings for done in checks.values()):
        history = held.history
        digests = (history.results[-1] if history.results else {}) if record.log else record.results
        graded = history.graded if record.log else None
        everyone = tuple(runs.get(run_id, run.as_planned) for run_id, run in record.runs.items())
        results = Results(folder, everyone, digests, graded, _is_closed(record))
        yield from check_results(results, present)
    yield from _unknown(folder, present, record)


def _log(held: Held, *, has_begun: bool) -> Iterator[Finding]:
    """Check the group's log and what it says about the group."""
    chain, history, record = held.chain, held.history, held.record
    if chain is None:
        try:
            read_chain(held.folder / GROUP_LOG)
        except RunError as error:
            if has_begun or os.path.lexists(held.folder / GROUP_LOG):
                yield find(GROUP_LOG, str(error))
        return
    if chain.broken is not None:
        yield find(GROUP_LOG, f"Entry {chain.broken} was changed, or one before it was removed or added.")
    if chain.rest and not chain.is_rest_possible:
        yield find(GROUP_LOG, "A line was added.")
    for number, problem in history.problems:
        yield find(GROUP_LOG, f"Entry {number}: {problem}")
    opened = history.opened
    if opened is None:
        if has_begun:
            yield find(GROUP_LOG, "It is empty.")
        return
    if opened.get("head") != record.head_digest():
        yield find(METADATA, "Its plan, machine or name differs from the one in the group's log.")
    if opened.get("runs") != list(record.runs) or opened.get("records") != digest_of_records(record.planned.values()):
        yield find(METADATA, "Its runs differ from those in the group's log.")
    for run_id in history.steps.keys() - record.runs.keys():
        yield find(GROUP_LOG, f"It names the run {run_id!r}, which is not in the plan.")
    if record.results != (history.results[-1] if history.results else {}) and not _is_late(record, history):
        yield find(METADATA, "Its digests of the results differ from those in the group's log.")


def _is_late(record: GroupRecord, history: History) -> bool:
    """Tell whether the harness was killed after it logged the results, and before it wrote the group's record."""
    if history.last_kind != "results":
        return False
    if len(history.results) > 1:
        return record.results == history.results[-2]
    return not record.results and not _is_closed(record)


def _is_closed(record: GroupRecord) -> bool:
    """Tell whether the group's record has a verdict for each run: it was written after the results."""
    return all(run.status is Status.GRADED for run in record.runs.values())


def _options(held: Held, present: dict[str, Kind]) -> Iterator[Finding]:
    """Check `options.json`. The log is written first, and the harness may be killed before it writes the file."""
    history = held.history
    logged = [options.get("sha256") for options in history.options]
    allowed = logged[-2:] if history.last_kind == "options" else logged[-1:]
    if len(logged) < 2 and history.last_kind in ("options", "opened"):
        allowed.append(None)
    try:
        digest = read_digest(held.folder / OPTIONS, MAX_OPTIONS) if OPTIONS in present else None
    except RunError as error:
        yield find(OPTIONS, str(error))
        return
    if held.record.log is not None and digest not in (allowed or [None]):
        text = "Its digest differs from the one in the group's log." if digest else "It is missing."
        yield find(OPTIONS, text)


def _copies(held: Held, runs: dict[str, RunRecord]) -> Iterator[Finding]:
    """Check the copies of the runs' records in the group's own.

    They are written when the group is opened, has ended, and is closed. So a killed harness leaves older copies.
    """
    for run_id, copy in held.record.runs.items():
        run = runs.get(run_id, copy.as_planned)
        if held.record.log is not None:
            steps = {step.record for step in held.history.steps.get(run_id, ())}
            is_copy = copy == copy.as_planned or digest_of(copy.as_file()) in steps
        else:
            is_finished = bool(held.record.results)
            old = run.model_copy(update={"regrades": copy.regrades})
            is_regraded = copy.regrades == run.regrades[: len(copy.regrades)] and copy == old
            is_copy = copy == run or is_regraded or (not is_finished and copy.status is not Status.GRADED)
        if not is_copy:
            yield find(METADATA, f"Its copy of {run_id} differs from the record of the run.")


def _unknown(folder: Path, present: dict[str, Kind], record: GroupRecord) -> Iterator[Finding]:
    """Check that the folder of a group has nothing else."""
    files = {METADATA, OPTIONS, GROUP_LOG, LOCK, *NAMES}
    for name, kind in present.items():
        if name in record.runs:
            continue  # checked with the run
        if name in files or is_leftover_file(name):
            if kind is not Kind.FILE:
                yield find(name, f"It is {kind}, not a regular file.")
            elif name == LOCK and (folder / LOCK).lstat().st_size:
                yield find(name, "It is not empty.")
        elif name not in DERIVED:
            what = "the plan has no such run" if kind is Kind.FOLDER else "it does not belong to the group"
            yield find(name, f"It was added: {what}.")


def _is_busy(folder: Path) -> bool:
    """Tell whether a harness works on a group."""
    try:
        with open_file(folder / LOCK, MAX_OPTIONS) as file:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except (OSError, RunError):
        return False
    return False
