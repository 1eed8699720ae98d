"""The log of a run as sentences, one for each event."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mlebench.errors import RunError
from mlebench.ground.wording import format_binary_size
from mlebench.runs.events import FRAME, read_events
from mlebench.runs.layout import RUN
from mlebench.runs.reader import read_record
from mlebench.runs.record import RunRecord

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

Facts = dict[str, Any]

_SENTENCES: dict[str, Callable[[Facts], str]] = {
    "run": lambda e: f"Attempt {e['attempt']} of {e['run']}, mlebench {e['mlebench_version']}, {e['machine']}.",
    "inputs": lambda e: f"{e['competition']} ({e['version']}) for agent {e['agent']}, with the {e['description']}.",
    "limits": lambda e: (
        "Limits: "
        + ", ".join(f"{name} {value}" for name, value in e.items() if value is not None and name not in FRAME)
        + "."
    ),
    "started": lambda e: f"Started in {e['sandbox']}; limits are enforced by {e['enforcement']}.",
    "no_isolation": lambda e: f"{e['message']}.",
    "network_open": lambda e: "NETWORK OPEN: the agent can reach more than the servers of the harness.",
    "hole": lambda e: f"Port {e['port']} leads to the harness ({', '.join(e.get('variables', ()))}).",
    "check": lambda e: f"Checked a file of {format_binary_size(e['size'])}: {e['answer']}",
    "snapshot": lambda e: f"New submission of {format_binary_size(e['bytes'])} ({e['sha256'][:12]}).",
    "snapshots_dropped": lambda e: f"{e['dropped']} snapshots were dropped to make room.",
    "snapshot_failed": lambda e: f"A submission could not be copied: {e['why']}.",
    "model_call": lambda e: f"Called {e.get('model')}: status {e.get('status')}.",
    "warning": lambda e: (
        f"Warned the agent that {e['seconds']:.0f} seconds are left."
        if e["written"]
        else f"Could not warn the agent that {e['seconds']:.0f} seconds are left, since it blocked the file."
    ),
    "limit": lambda e: f"LIMIT {e['limit']}: {e['value']} exceeds {e['bound']}.",
    "ended": lambda e: f"Ended: {e['reason']}, exit code {e['exit_code']}, after {e['seconds']:.1f} seconds.",
    "refused": lambda e: f"REFUSED {e['path']}: {e['why']}.",
    "salvaged": lambda e: f"Took the submission of second {e['seconds']:.0f}; at the end: {e['fault']}",
    "salvage_stopped": lambda e: (
        f"STOPPED LOOKING for a valid submission after {e['seconds']:.0f} seconds; {e['unchecked']} snapshots were not"
        " checked."
    ),
    "incident": lambda e: f"THE HARNESS FAILED while {e['step']}: {e['message']}. The run counts all the same.",
    "collected": lambda e: (
        "Collected no submission."
        if e["submission_bytes"] is None
        else f"Collected a submission of {format_binary_size(e['submission_bytes'])}."
    ),
    "harness_fault": lambda e: f"THE HARNESS FAILED: {e['message']}",
    "interrupted": lambda e: "Was found interrupted when the group was opened again.",
    "sealed": lambda e: f"Sealed {e['files']} files.",
    "graded": lambda e: (
        f"Graded: {e['outcome']}"
        + ("" if e["score"] is None else f", score {e['score']:g}")
        + (f", {e['medal']} medal" if e["medal"] else "")
        + (f" ({e['reason']})" if e["reason"] else "")
        + "."
    ),
    "curve": lambda e: f"Graded {e['points']} of {e['points'] + e.get('ungraded', 0)} snapshots.",
    "regraded": lambda e: (
        f"Regraded as {e['version']}"
        + (f", on the data of {e['data_version']}" if "data_version" in e else "")
        + f": {e['outcome']}, score {e['score']}."
    ),
    "recorded": lambda e: f"Wrote the record: {e['status']}.",
}
FLAGGED = frozenset(
    {"limit", "refused", "no_isolation", "network_open", "harness_fault", "incident", "salvaged", "salvage_stopped"}
)
"""Kinds of events that a reader should see first."""


def log(run: Path | str, *, attempt: int | None = None, flagged: bool = False) -> list[Facts]:
    """Return the events of a run.

    Parameters
    ----------
    run
        The run's folder.
    attempt
        Number of the attempt; by default the one that counts.
    flagged
        Return only limits, refusals and failures.

    Raises
    ------
    RunError
        The folder is not a run's, or the attempt has no log.
    """
    folder = Path(run)
    if not (folder / RUN).is_file():
        runs = sorted(record.parent.name for record in folder.glob(f"*/{RUN}"))
        hint = f"it is a group; name one of its runs, such as {folder / runs[0]}" if runs else f"it has no {RUN}"
        raise RunError(f"{folder} is not a run: {hint}.")
    record = read_record(folder / RUN, RunRecord)
    path = folder / "attempts" / str(attempt or record.attempt) / "events.jsonl"
    if not path.exists():
        raise RunError(f"{record.run_id} has no log of attempt {attempt or record.attempt}; it has not started.")
    events = list(read_events(path))
    for number, event in enumerate(events):
        if not _has_frame(event):
            raise RunError(f"Event {number} of {path} is damaged: it has no kind, or no time with a time zone.")
    return [event for event in events if not flagged or event["kind"] in FLAGGED]


def _has_frame(event: Facts) -> bool:
    try:
        return isinstance(event["kind"], str) and datetime.fromisoformat(event["time"]).tzinfo is not None
    except (KeyError, TypeError, ValueError):
        return False


def story(events: Iterable[Facts]) -> Iterator[tuple[float, str, str]]:
    """Yield seconds since the first event, the kind, and a sentence, for each event."""
    began: datetime | None = None
    for event in events:
        time = datetime.fromisoformat(event["time"])
        began = began or time
        yield (time - began).total_seconds(), event["kind"], tell(event)


def tell(event: Facts) -> str:
    """Return an event as one printable sentence; an event of an unknown kind shows its facts."""
    try:
        sentence = _SENTENCES[event["kind"]](event)
    except (KeyError, TypeError, ValueError, AttributeError, ArithmeticError):
        facts = ", ".join(f"{name} {value}" for name, value in event.items() if name not in FRAME)
        sentence = f"{event['kind']}: {facts}."
    # Agents choose file names, which must not break lines or send codes to the terminal.
    return "".join(character if character.isprintable() else ascii(character)[1:-1] for character in sentence)
