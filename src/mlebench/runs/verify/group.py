"""Checking the folder of a group: the plan, the group's log, and what belongs to no single run."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from mlebench.errors import RunError
from mlebench.runs.chain import read_chain
from mlebench.runs.consistency import plan_problem
from mlebench.runs.group_log import digest_of_records
from mlebench.runs.layout import DERIVED, GROUP_LOG, LOCK, METADATA, OPTIONS
from mlebench.runs.leftovers import is_leftover_file
from mlebench.runs.record import GroupRecord
from mlebench.runs.untrusted import Kind, MiB, list_folder, read_digest
from mlebench.runs.verify.finding import Finding, below, find, read_model
from mlebench.runs.verify.held import Held, hold, is_busy
from mlebench.runs.verify.metadata import check_copies, is_complete
from mlebench.runs.verify.results import NAMES, Results, check_results
from mlebench.runs.verify.run import RunCheck, check_run

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from mlebench.runs.history import History

MAX_METADATA = 256 * MiB
MAX_OPTIONS = 64 * MiB
_HEAD = re.compile(r"[0-9a-f]{64}\n")
TRIES = 5
"""Checks of a run whose harness works on it meanwhile."""


def check_group(folder: Path) -> Iterator[Finding]:
    """Yield what is wrong with a group; `folder` is its resolved path."""
    try:
        record, content = read_model(folder / METADATA, GroupRecord, MAX_METADATA)
    except RunError as error:
        yield find(METADATA, str(error))
        return
    if content != record.as_file().encode():
        yield find(METADATA, "It was changed: mlebench writes it in another form.")
    if problem := plan_problem(record):
        yield find(METADATA, problem)
        return
    held = hold(folder, record)
    checks = {run_id: _check_run(held, run_id) for run_id in record.runs}
    for run_id, done in checks.items():
        yield from below(run_id, done.findings)
    found = list(_of_group(folder, checks))
    for _ in range(TRIES):
        if not found or not is_busy(folder):
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
    if (problem := plan_problem(record)) or folder.name not in record.runs:
        yield find(f"../{METADATA}", problem or "It does not list this run.")
        return
    yield from _check_run(hold(folder.parent, record), folder.name).findings


def _check_run(held: Held, run_id: str) -> RunCheck:
    copy = held.record.runs[run_id]
    if not os.path.lexists(held.folder / run_id):
        has_started = run_id in held.history.steps or copy != copy.as_planned
        return RunCheck(findings=[find("", "The folder of this run is missing.")] if has_started else [])
    done = check_run(held.folder / run_id, held.known(run_id))
    for _ in range(TRIES):
        if not done.findings or not is_busy(held.folder):
            break
        done = check_run(held.folder / run_id, hold(held.folder, held.record).known(run_id))
    return done


def _of_group(folder: Path, checks: dict[str, RunCheck]) -> Iterator[Finding]:
    """Check what belongs to no single run."""
    try:
        present = list_folder(folder)
        record, _ = read_model(folder / METADATA, GroupRecord, MAX_METADATA)
    except RunError as error:
        yield find(METADATA, str(error))
        return
    held = hold(folder, record)
    has_begun = any(run_id in present for run_id in record.runs)
    if record.log is not None:
        yield from _log(held, has_begun=has_begun)
        ahead = [run_id for run_id, done in checks.items() if done.is_ahead]
        parallel = held.history.options[-1].get("parallel") if held.history.options else 1
        if len(ahead) > (parallel if isinstance(parallel, int) else 1):
            yield find(GROUP_LOG, f"It ends before the last steps of {len(ahead)} runs, such as {ahead[0]}.")
    elif GROUP_LOG in present:
        yield find(GROUP_LOG, f"{METADATA} does not name a log.")
    if held.closed and not (record.log and _HEAD.fullmatch(held.closed)):
        yield find(LOCK, "It was changed.")
    yield from _options(held, present)
    runs = {run_id: done.run for run_id, done in checks.items() if done.run is not None}
    yield from check_copies(held, runs)
    if all(not done.findings for done in checks.values()):
        history = held.history
        digests = (history.results[-1] if history.results else {}) if record.log else record.results
        graded = history.graded if record.log else None
        everyone = tuple(runs.get(run_id, run.as_planned) for run_id, run in record.runs.items())
        results = Results(folder, everyone, digests, graded, is_complete(record), held.is_closed)
        yield from check_results(results, present)
    yield from _unknown(held, present)


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
    if chain.rest and (held.is_closed or not chain.is_rest_possible):
        yield find(GROUP_LOG, "A line was added.")
    if _HEAD.fullmatch(held.closed) and not held.is_closed:
        yield find(GROUP_LOG, "It does not end as it did when the group was closed.")
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
    may_be_late = not held.is_closed and _is_late(record, history)
    if record.results != (history.results[-1] if history.results else {}) and not may_be_late:
        yield find(METADATA, "Its digests of the results differ from those in the group's log.")


def _is_late(record: GroupRecord, history: History) -> bool:
    """Tell whether the harness was killed after it logged the results, and before it wrote the group's record."""
    if history.last_kind != "results":
        return False
    if len(history.results) > 1:
        return record.results == history.results[-2]
    return not record.results and not is_complete(record)


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


def _unknown(held: Held, present: dict[str, Kind]) -> Iterator[Finding]:
    """Check that the folder of a group has nothing else."""
    files = {METADATA, OPTIONS, GROUP_LOG, LOCK, *NAMES}
    for name, kind in present.items():
        if name in held.record.runs:
            continue  # checked with the run
        if name in files or (is_leftover_file(name) and not held.is_closed):
            if kind is not Kind.FILE:
                yield find(name, f"It is {kind}, not a regular file.")
        elif name not in DERIVED:
            what = "the plan has no such run" if kind is Kind.FOLDER else "it does not belong to the group"
            yield find(name, f"It was added: {what}.")
