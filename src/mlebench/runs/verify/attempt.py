"""Checking the folder of an attempt: its chain of events, and its files against the seal."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mlebench.errors import RunError
from mlebench.runs.chain import Chain, read_chain
from mlebench.runs.layout import CURVE, EVENTS, SUMS
from mlebench.runs.record import RunRecord, Status
from mlebench.runs.seal import read_sums, take_inventory
from mlebench.runs.untrusted import MiB, list_folder, read_digest, read_file
from mlebench.runs.verify.finding import Finding, find

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from mlebench.runs.history import Step


MAX_SUMS = 256 * MiB
MAX_SEALED = 64 * 1024 * MiB
"""Bytes of all files of an attempt whose seal does not tell their size."""
GRADING = frozenset({"graded", "curve", "recorded"})
REGRADING = frozenset({"regraded", "recorded"})


@dataclass(frozen=True, slots=True)
class Expected:
    """What an attempt must agree with."""

    run: RunRecord
    number: int
    head: str | None
    """Digest of the group's plan, machine and name; None if it is unknown."""
    steps: tuple[Step, ...]
    """The steps of this attempt in the group's log."""
    must_be_sealed: bool
    later: frozenset[str] | None
    """Kinds of events that may follow the last step of the log; None for any."""


def check_attempt(folder: Path, expected: Expected) -> tuple[Chain | None, list[Finding]]:
    """Check one attempt.

    Parameters
    ----------
    folder
        The attempt's folder, which is a real folder.
    expected
        What it must agree with.

    Returns
    -------
    tuple
        The events, or None if they cannot be read; and the findings.
    """
    try:
        present = list_folder(folder)
        if EVENTS not in present and not expected.must_be_sealed and expected.later is None:
            return None, []
        chain = read_chain(folder / EVENTS)
    except RunError as error:
        return None, [find(EVENTS, str(error))]
    found = list(_events(chain, expected))
    if not found:
        found += _files(folder, chain, may_be_graded=expected.later == GRADING)
    return chain, found


def _events(chain: Chain, expected: Expected) -> Iterator[Finding]:
    if chain.broken is not None:
        line = chain.broken + 1
        yield find(EVENTS, f"Event {chain.broken} (line {line}) was changed, or one before it was removed or added.")
        return
    is_growing = expected.later != frozenset() if expected.later is not None else not expected.must_be_sealed
    if chain.rest and not (is_growing and chain.is_rest_possible):
        yield find(EVENTS, "Its last line is cut off, or was added.")
    for step in expected.steps:
        if chain.after(step.events) != step.head:
            yield find(EVENTS, f"It differs from the one that the group's log names for the step '{step.kind}'.")
            return
    logged = expected.steps[-1].events if expected.steps else 0
    if expected.later is not None:
        for number, event in enumerate(chain.links[logged:], logged):
            if event.kind not in expected.later:
                yield find(EVENTS, f"Event {number} ({event.kind}) follows the last step in the group's log.")
    if expected.must_be_sealed and not chain.facts("sealed"):
        yield find(EVENTS, "It ends before the event that seals the attempt's files.")
    yield from _names(chain, expected)


def _names(chain: Chain, expected: Expected) -> Iterator[Finding]:
    """Check that the events are those of this attempt of this run."""
    run = expected.run
    begin = {"run": run.run_id, "attempt": expected.number}
    if expected.head is not None:
        begin["group"] = expected.head
    task = {"competition": run.competition_id, "version": str(run.version), "agent": run.agent}
    for kind, wanted in (("run", begin), ("inputs", task)):
        for facts in chain.facts(kind):
            for name, value in wanted.items():
                if facts.get(name) != value and name != "group":
                    yield find(EVENTS, f"It is the log of {name} {facts.get(name)!r}, not {value!r}.")
                elif facts.get(name) != value:
                    yield find(EVENTS, "It was started in a group with another plan, machine or name.")
    begun = len(chain.facts("run"))
    counts = expected.number == run.attempt and run.status in (Status.ENDED, Status.GRADED)
    if begun > 1 or (counts and not begun):
        yield find(EVENTS, f"It has {begun} events of kind 'run' instead of one.")


def _files(folder: Path, chain: Chain, *, may_be_graded: bool) -> Iterator[Finding]:
    seals, curves = chain.facts("sealed"), chain.facts("curve")
    if len(seals) > 1:
        yield find(EVENTS, "It seals the attempt's files more than once.")
    elif seals:
        try:
            yield from _sealed(folder, seals[0])
        except (OSError, RunError) as error:
            yield find("", f"Its files cannot be read ({error}).")
    try:
        digest = read_digest(folder / CURVE, MAX_SEALED) if CURVE in list_folder(folder) else None
    except RunError as error:
        yield find(CURVE, str(error))
        return
    known = [facts.get("sha256") for facts in curves]
    if digest != (known[-1] if known else None) and not (may_be_graded and digest in {None, *known}):
        yield find(CURVE, "Its digest differs from the one in the log of events." if digest else "It is missing.")


def _sealed(folder: Path, sealed: dict[str, Any]) -> Iterator[Finding]:
    """Check the files against the list of digests."""
    try:
        if read_digest(folder / SUMS, MAX_SUMS) != sealed.get("sha256"):
            yield find(SUMS, "Its digest differs from the one in the log of events.")
            return
        digests = read_sums(read_file(folder / SUMS, MAX_SUMS))
    except (RunError, ValueError) as error:
        yield find(SUMS, str(error))
        return
    present = take_inventory(folder)
    total = sealed.get("bytes")
    left = total if isinstance(total, int) else MAX_SEALED
    for path in sorted(digests.keys() | present.files.keys()):
        name = os.fsdecode(path)
        if path not in digests:
            yield find(name, "It was added after the attempt was sealed.")
        elif path not in present.files:
            yield find(name, "It is missing.")
        elif present.files[path] > left:
            yield find(name, "It, or a file before it, is larger than it was.")
        else:
            left -= present.files[path]
            try:
                if read_digest(folder / name, MAX_SEALED) != digests[path]:
                    yield find(name, "Its content was changed.")
            except RunError as error:
                yield find(name, str(error))
    if "folders" in sealed and sealed["folders"] != present.folders_digest:
        yield find("", "A folder was removed, added or renamed.")
