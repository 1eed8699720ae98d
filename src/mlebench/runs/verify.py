"""Checking a run or a group against its own record: was anything changed, removed or added?

Checked for a run: the chain of events; the list of digests (`SHA256SUMS`) against the event `sealed`; every
file against that list; `curve.json` against the event `curve`; `run.json` against the last event `recorded`. For a
group also: `metadata.json` against the runs' records and against the digest of the group that each run logged at
its start, and `submission.jsonl` and `grading_report.json` against the digests in it. `report.json` and `report.html`
are derived from these by `mlebench report` and are not checked.

This finds accidental changes, and changes by someone who does not rebuild the chain. To detect a rebuilt record, keep
the digest that `mlebench verify` prints in another place.
"""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from mlebench.errors import RunError
from mlebench.runs.events import first_broken_event, read_events
from mlebench.runs.layout import METADATA, RUN
from mlebench.runs.record import GroupRecord, RunRecord, Status
from mlebench.runs.seal import SUMS, file_digest, read_sums, sealed_files
from mlebench.runs.store import read_record

if TYPE_CHECKING:
    from collections.abc import Iterator


class Finding(NamedTuple):
    """A disagreement between a file and the record."""

    path: str
    """Relative to the folder that was checked."""
    text: str
    """One sentence."""


def verify(folder: Path | str) -> list[Finding]:
    """Check the folder of a run or a group.

    Parameters
    ----------
    folder : Path or str
        The folder of a run or a group.

    Returns
    -------
    list of Finding
        The disagreements; empty if there are none.

    Raises
    ------
    RunError
        The folder is neither a run nor a group.
    """
    folder = Path(folder)
    if (folder / METADATA).exists():
        return list(_group(folder))
    if (folder / RUN).exists() or (folder / "attempts").is_dir():
        return list(_run(folder))
    raise RunError(f"{folder} is neither a run nor a group: it has no {RUN} and no {METADATA}.")


def fingerprint(folder: Path) -> str:
    """Return a digest of the whole record of a run or a group; any change of a file changes it."""
    if (folder / METADATA).exists():
        record = read_record(folder / METADATA, GroupRecord)
        parts = [fingerprint(folder / run_id) for run_id in record.runs if (folder / run_id / RUN).exists()]
        parts.append(file_digest(folder / METADATA))
    else:
        parts = [file_digest(folder / RUN)]
        parts += [file_digest(path) for path in sorted(folder.glob("attempts/*/events.jsonl"))]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def _group(folder: Path) -> Iterator[Finding]:
    try:
        record = read_record(folder / METADATA, GroupRecord)
    except RunError as error:
        yield Finding(METADATA, str(error))
        return
    if (folder / METADATA).read_text(encoding="utf-8") != record.as_file():
        yield Finding(METADATA, "It was changed: mlebench writes it in another form.")
    head = record.head_digest()
    for run_id, run in record.runs.items():
        place = folder / run_id
        if not (place / RUN).exists():
            if run.status is not Status.PLANNED:
                yield Finding(f"{run_id}/{RUN}", f"It is missing, and {METADATA} calls the run {run.status}.")
            continue
        found = list(_run(place))
        yield from (Finding(f"{run_id}/{path}", text) for path, text in found)
        if found:
            continue
        if not _is_copy(run, read_record(place / RUN, RunRecord), is_finished=bool(record.results)):
            yield Finding(METADATA, f"Its copy of {run_id} differs from {run_id}/{RUN}.")
        begin = next(_events(place, run, "run"), None)
        if begin is not None and begin.get("group") != head:
            yield Finding(METADATA, f"Its plan, machine or name differs from what {run_id} logged at its start.")
    extra = {path.parent.name for path in folder.glob(f"*/{RUN}")} - record.runs.keys()
    yield from (Finding(name, f"{METADATA} does not list this run.") for name in sorted(extra))
    for name, digest in record.results.items():
        if not (folder / name).is_file():
            yield Finding(name, "It is missing.")
        elif file_digest(folder / name) != digest:
            yield Finding(name, f"Its digest differs from the one in {METADATA}.")


def _is_copy(copy: RunRecord, run: RunRecord, *, is_finished: bool) -> bool:
    """Tell whether the group's copy of a record is the record, or an earlier state of it.

    The group's file is written when it is opened, has ended, and is closed, so a killed harness leaves older copies.
    """
    if copy.regrades != run.regrades and copy.regrades == run.regrades[: len(copy.regrades)]:
        run = run.model_copy(update={"regrades": copy.regrades})
    return copy == run or (not is_finished and copy.status is not Status.GRADED)


def _run(folder: Path) -> Iterator[Finding]:
    try:
        run = read_record(folder / RUN, RunRecord)
    except RunError as error:
        yield Finding(RUN, str(error))
        return
    for attempt in sorted(folder.glob("attempts/*"), key=lambda path: (len(path.name), path.name)):
        if not (attempt / "events.jsonl").exists():
            if attempt.name == str(run.attempt) and run.status in (Status.ENDED, Status.GRADED):
                yield Finding(f"attempts/{attempt.name}/events.jsonl", "It is missing.")
            continue
        counts = attempt.name == str(run.attempt) and run.status in (Status.ENDED, Status.GRADED)
        yield from (Finding(f"attempts/{attempt.name}/{path}", text) for path, text in _attempt(attempt, counts=counts))
    if run.status not in (Status.ENDED, Status.GRADED):
        return
    if not (folder / "attempts" / str(run.attempt)).is_dir():
        yield Finding(f"attempts/{run.attempt}", "It is missing.")
        return
    for path in sorted(folder.iterdir()):
        if path.is_symlink() and path.readlink() != Path("attempts", str(run.attempt), path.name):
            yield Finding(path.name, f"It does not link to attempt {run.attempt}.")
    recorded = list(_events(folder, run, "recorded"))
    if not recorded or recorded[-1].get("sha256") != file_digest(folder / RUN):
        yield Finding(
            RUN,
            "Its digest differs from the last one in the log of events. If mlebench was killed, repeat the command "
            "that started the group.",
        )


def _attempt(folder: Path, *, counts: bool) -> Iterator[tuple[str, str]]:
    """Check one attempt; an interrupted one needs nothing but its chain of events."""
    log = folder / "events.jsonl"
    broken = first_broken_event(log)
    if broken is not None:
        yield log.name, f"Event {broken} (line {broken + 1}) was changed, or an event before it was removed or added."
        return
    if not log.read_bytes().endswith(b"\n") and counts:
        yield log.name, "Its last line is cut off."
        return
    events = {event["kind"]: event for event in read_events(log)}
    if counts and "sealed" not in events:
        yield log.name, "It ends before the event that seals the attempt's files."
    if "sealed" in events:
        yield from _files(folder, events["sealed"])
    if "curve" in events:
        curve = folder / "curve.json"
        if not curve.exists() or file_digest(curve) != events["curve"]["sha256"]:
            yield curve.name, "Its digest differs from the one in the log of events."


def _files(folder: Path, sealed: dict[str, Any]) -> Iterator[tuple[str, str]]:
    sums = folder / SUMS
    if not sums.exists():
        yield SUMS, "It is missing."
        return
    if file_digest(sums) != sealed["sha256"]:
        yield SUMS, "Its digest differs from the one in the log of events."
        return
    digests, present = read_sums(sums), sealed_files(folder)
    for path in sorted(digests.keys() | set(present)):
        name = path.decode("utf-8", "backslashreplace")
        if path not in digests:
            yield name, "It was added after the attempt was sealed."
        elif path not in present:
            yield name, "It is missing."
        elif not (file := folder / os.fsdecode(path)).is_file() or file.is_symlink():
            yield name, "It is not a regular file any more."
        elif file_digest(file) != digests[path]:
            yield name, "Its content was changed."


def _events(folder: Path, run: RunRecord, kind: str) -> Iterator[dict[str, Any]]:
    log = folder / "attempts" / str(run.attempt) / "events.jsonl"
    try:
        yield from (event for event in read_events(log) if event["kind"] == kind)
    except (OSError, RunError, json.JSONDecodeError):
        return
