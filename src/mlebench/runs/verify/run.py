"""Checking the folder of a run: its record, its attempts, and the links to the last one."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from mlebench.errors import RunError
from mlebench.runs.history import Step, is_ahead
from mlebench.runs.layout import ATTEMPTS, LINKED, RUN
from mlebench.runs.leftovers import is_leftover_file, is_leftover_link
from mlebench.runs.record import RunRecord, Status, digest_of
from mlebench.runs.untrusted import Kind, MiB, list_folder
from mlebench.runs.verify.attempt import GRADING, REGRADING, Expected, check_attempt
from mlebench.runs.verify.finding import Finding, below, find, read_model

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from mlebench.runs.chain import Chain

MAX_RECORD = 64 * MiB
OVER = (Status.ENDED, Status.GRADED)
_NUMBER = re.compile(r"[1-9][0-9]{0,8}")
_LATER = {"ended": GRADING, "graded": REGRADING, "regraded": REGRADING}
"""Kinds of events that may follow the last step of an attempt in the log, if the harness was killed."""


@dataclass(frozen=True, slots=True)
class Known:
    """What is known about a run from its group."""

    planned: RunRecord
    """Its record before it started."""
    head: str
    """Digest of the group's plan, machine and name."""
    steps: tuple[Step, ...] | None
    """The run's steps in the group's log; None without a log."""
    is_closed: bool = False
    """Whether the harness closed the group, so that no kill explains anything."""


@dataclass(slots=True)
class RunCheck:
    """The result of checking a run."""

    run: RunRecord | None = None
    """The record, if it can be read."""
    is_ahead: bool = False
    """Whether the run is one step ahead of the group's log."""
    findings: list[Finding] = field(default_factory=list)


def check_run(folder: Path, known: Known | None = None) -> RunCheck:
    """Check one run.

    Parameters
    ----------
    folder
        The run's folder.
    known
        What its group says about it; None for a run without its group.
    """
    done = RunCheck()
    steps = known.steps if known else None
    try:
        present = list_folder(folder)
        if RUN not in present and not steps and not [name for name in present if not _is_leftover(name, present[name])]:
            return done  # killed before its first record
        run, content = read_model(folder / RUN, RunRecord, MAX_RECORD)
    except RunError as error:
        done.findings.append(find(RUN, str(error)))
        return done
    done.run = run
    if content != run.as_file().encode():
        done.findings.append(find(RUN, "It was changed: mlebench writes it in another form."))
    expected = known.planned if known else run.as_planned.model_copy(update={"run_id": folder.name})
    if run.as_planned != expected:
        done.findings.append(find(RUN, f"It describes another run, or another task or seed, than {expected.run_id}."))
        return done
    chain = _attempts(folder, run, known, done)
    _record(run, chain, steps, done)
    done.findings += _entries(folder, run, present, has_log=steps is not None)
    if known and known.is_closed:
        if done.is_ahead:
            done.findings.append(find(RUN, "It is newer than the group's log, which was closed."))
        leftovers = [name for name, kind in present.items() if _is_leftover(name, kind)]
        done.findings += [find(name, "It was added after the group was closed.") for name in leftovers]
    return done


def _attempts(folder: Path, run: RunRecord, known: Known | None, done: RunCheck) -> Chain | None:
    """Check the attempts of a run, which are 1 to N; return the events of the last one."""
    # A killed harness may not have made the folder of the attempt that it was about to start.
    logged = [step for step in (known.steps if known else None) or () if step.attempt == run.attempt]
    may_miss = run.status is Status.RUNNING and not any(step.events for step in logged)
    try:
        present = list_folder(folder / ATTEMPTS)
    except RunError as error:
        if not may_miss or run.attempt != 1 or os.path.lexists(folder / ATTEMPTS):
            done.findings.append(find(ATTEMPTS, str(error)))
        return None
    wrong = [name for name, kind in present.items() if not _NUMBER.fullmatch(name) or kind is not Kind.FOLDER]
    numbers = sorted({int(name) for name in present.keys() - set(wrong)})
    wrong += [str(number) for number in numbers if number > run.attempt]
    done.findings += [find(f"{ATTEMPTS}/{name}", f"It is not one of attempts 1 to {run.attempt}.") for name in wrong]
    chain = None
    for number, place in enumerate([number for number in numbers if number <= run.attempt], 1):
        if place != number:
            done.findings.append(find(f"{ATTEMPTS}/{number}", "It is missing."))
            return None
        name = str(number)
        chain, findings = check_attempt(folder / ATTEMPTS / name, _expected(run, number, known))
        done.findings += below(f"{ATTEMPTS}/{name}", findings)
    last = max(numbers, default=0)
    if last < run.attempt:
        if not may_miss or last < run.attempt - 1:
            done.findings.append(find(f"{ATTEMPTS}/{last + 1}", "It is missing."))
        return None
    return chain


def _expected(run: RunRecord, number: int, known: Known | None) -> Expected:
    is_last = number == run.attempt
    head = known.head if known else None
    is_over = is_last and run.status is not Status.RUNNING
    if known is None or known.steps is None:
        return Expected(run, number, head, (), is_over, None)
    steps = tuple(step for step in known.steps if step.attempt == number)
    kind = steps[-1].kind if steps else "started"
    if kind == "started":
        return Expected(run, number, head, steps, is_over, None)
    later = _LATER.get(kind, frozenset()) if is_last else frozenset()
    return Expected(run, number, head, steps, True, later)


def _record(run: RunRecord, chain: Chain | None, steps: tuple[Step, ...] | None, done: RunCheck) -> None:
    """Check that the record is the last one that the logs name."""
    digest = digest_of(run.as_file())
    if steps is not None:
        last = steps[-1] if steps else None
        if last is None or last.record != digest or last.attempt != run.attempt:
            done.is_ahead = is_ahead(last, run, chain)
            if not done.is_ahead:
                done.findings.append(find(RUN, "Its digest differs from the last one in the group's log."))
        return
    recorded = chain.facts("recorded") if chain else []
    if run.status in OVER and (not recorded or recorded[-1].get("sha256") != digest):
        text = (
            "Its digest differs from the last one in the log of events. If mlebench was killed, repeat the command "
            "that started the group."
        )
        done.findings.append(find(RUN, text))
    elif run.status is Status.PLANNED and any(facts.get("status") != run.status for facts in recorded):
        done.findings.append(find(RUN, "It calls the run planned, and the log of events says that the run has ended."))


def _entries(folder: Path, run: RunRecord, present: dict[str, Kind], *, has_log: bool) -> Iterator[Finding]:
    """Check that the folder contains the record, the attempts, the links to the last one, and nothing else."""
    for name, kind in present.items():
        if name not in (RUN, ATTEMPTS, *LINKED) and not _is_leftover(name, kind):
            yield find(name, "It does not belong to the run.")
    try:
        last = list_folder(folder / ATTEMPTS / str(run.attempt))
    except RunError:
        last = {}
    is_over = run.status is not Status.RUNNING
    for name in LINKED:
        if name not in present:
            if name in last and is_over:
                yield find(name, "The link is missing.")
        elif present[name] is not Kind.LINK:
            yield find(name, f"It is {present[name]}, not a link to the last attempt.")
        elif not _leads(folder, name, run, any_attempt=not is_over or (name not in last and not has_log)):
            yield find(name, f"It does not link to attempt {run.attempt}.")
        elif name not in last and is_over and has_log:
            yield find(name, f"It links to attempt {run.attempt}, which has no such file.")


def _leads(folder: Path, name: str, run: RunRecord, *, any_attempt: bool) -> bool:
    """Tell whether a link leads to its file in the last attempt, or in an earlier one."""
    try:
        parts = (folder / name).readlink().parts
    except OSError:
        return False
    if len(parts) != 3 or not _NUMBER.fullmatch(parts[1]):
        return False
    number = int(parts[1])
    return parts == (ATTEMPTS, str(number), name) and (number == run.attempt or (any_attempt and number < run.attempt))


def _is_leftover(name: str, kind: Kind) -> bool:
    return is_leftover_file(name) if kind is Kind.FILE else kind is Kind.LINK and is_leftover_link(name)
