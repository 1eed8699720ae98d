"""What the log of a group says: the steps of each run, in order, and what was written of the whole group.

    opened        head (the digest of plan, machine and name), runs (their ids), records (the digest of their records)
    options       parallel, sha256 (of `options.json`, or null)
    started       an attempt of a run begins
    interrupted   an attempt was found interrupted when the group was opened again
    failed        an attempt ended that does not count: the harness failed or was stopped
    ended         an attempt ended that counts
    graded        the first verdict
    regraded      another verdict
    results       files: the digests of the files for other programs, by name

Each of the middle six is a step of a run, with `run`, `attempt`, `record` (the digest of `run.json` after the step),
and `events` and `head`: the number of the attempt's events after the step, and the value of their chain.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from mlebench.runs.chain import START
from mlebench.runs.record import Status, digest_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mlebench.runs.chain import Chain, Link
    from mlebench.runs.record import RunRecord

NEXT: dict[str | None, frozenset[str]] = {
    None: frozenset({"started"}),
    "started": frozenset({"interrupted", "failed", "ended"}),
    "interrupted": frozenset({"started"}),
    "failed": frozenset({"started"}),
    "ended": frozenset({"graded"}),
    "graded": frozenset({"regraded"}),
    "regraded": frozenset({"regraded"}),
}
"""The steps that may follow a step of the same run."""


@dataclass(frozen=True, slots=True)
class Step:
    """A step of a run."""

    kind: str
    run: str
    attempt: int
    record: str
    """SHA-256 of `run.json` after the step."""
    events: int
    """Number of the attempt's events after the step."""
    head: str
    """The chain's value after these events."""

    @classmethod
    def of(cls, run: RunRecord, events: int = 0, head: str = START, *, kind: str = "") -> Step:
        """Return the step that led to a run's record, and to the events of its attempt.

        Parameters
        ----------
        run
            The record after the step.
        events, head
            Number of the attempt's events, and the value of their chain.
        kind
            By default the one that the record's status tells.
        """
        return cls(kind or kind_of(run), run.run_id, run.attempt, digest_of(run.as_file()), events, head)

    @classmethod
    def read(cls, event: Link) -> Step | None:
        """Return the step that an event of the log describes; None if it is malformed."""
        facts = event.facts
        step = cls(
            event.kind,
            *(facts.get(name) for name in ("run", "attempt", "record", "events", "head")),  # type: ignore[arg-type]
        )
        texts, numbers = (step.run, step.record, step.head), (step.attempt, step.events)
        is_whole = all(type(text) is str for text in texts) and all(type(number) is int for number in numbers)
        return step if is_whole else None


def kind_of(run: RunRecord) -> str:
    """Return the kind of the step that leads to a run's record."""
    if run.status is Status.GRADED:
        return "regraded" if run.regrades else "graded"
    return {Status.RUNNING: "started", Status.PLANNED: "failed", Status.ENDED: "ended"}[run.status]


def is_next(last: Step | None, kind: str, attempt: int) -> bool:
    """Tell whether a step may follow a run's last one."""
    expected = (last.attempt if last else 0) + (kind == "started")
    return attempt == expected and kind in NEXT[last.kind if last else None]


def is_ahead(last: Step | None, run: RunRecord, chain: Chain | None) -> bool:
    """Tell whether a run's record and events are one step ahead of the log, as a killed harness leaves them.

    Parameters
    ----------
    last
        The last step of the run in the log.
    run
        The run's record, from `run.json`.
    chain
        The events of the attempt that the record names; None if it has no log.
    """
    kind = kind_of(run)
    if not is_next(last, kind, run.attempt):
        return False
    if kind == "started":
        return run.verdict is None and run.ending is None and run.ended_at is None
    if last is None or chain is None or chain.broken is not None or not len(chain.links) > last.events:
        return False
    final = chain.links[-1]
    return final.kind == "recorded" and final.facts.get("sha256") == digest_of(run.as_file())


@dataclass(slots=True)
class History:
    """The content of a group's log."""

    opened: dict[str, Any] | None = None
    steps: dict[str, list[Step]] = field(default_factory=dict)
    """The steps of each run, by its id."""
    options: list[dict[str, Any]] = field(default_factory=list)
    results: list[dict[str, str]] = field(default_factory=list)
    """The digests of the files for other programs, for each time they were written."""
    graded: frozenset[str] = frozenset()
    """The runs that had a verdict when the results were last written."""
    settled: dict[str, int] = field(default_factory=dict)
    """The number of steps of each run when the results were last written."""
    last_kind: str | None = None
    problems: list[tuple[int, str]] = field(default_factory=list)
    """Numbers of events that no harness writes there, and why."""

    @classmethod
    def of(cls, links: Iterable[Link]) -> History:
        """Return the history that a log's events tell."""
        history = cls()
        for number, event in enumerate(links):
            problem = history._add(event, is_first=number == 0)
            if problem:
                history.problems.append((number, problem))
        return history

    def last(self, run_id: str) -> Step | None:
        """Return the last step of a run, or None."""
        return self.steps[run_id][-1] if run_id in self.steps else None

    def _add(self, event: Link, *, is_first: bool) -> str | None:
        """Add an event; return what is wrong with it."""
        facts, self.last_kind = event.facts, event.kind
        if (event.kind == "opened") != is_first:
            return "The log does not begin with the only event of kind 'opened'."
        match event.kind:
            case "opened":
                self.opened = facts
            case "options":
                self.options.append(facts)
            case "results":
                files = facts.get("files")
                if not isinstance(files, dict):
                    return "It names no files."
                self.results.append(files)
                self.settled = {run: len(steps) for run, steps in self.steps.items()}
                self.graded = frozenset(run for run, steps in self.steps.items() if steps[-1].kind.endswith("graded"))
            case _:
                step = Step.read(event)
                if step is None or event.kind not in NEXT:
                    return f"Its kind is {event.kind!r}, or a fact is missing."
                last = self.last(step.run)
                self.steps.setdefault(step.run, []).append(step)
                if not is_next(last, step.kind, step.attempt):
                    before = f"attempt {last.attempt} {last.kind}" if last else "nothing"
                    return f"The step 'attempt {step.attempt} {step.kind}' of {step.run} cannot follow {before}."
        return None
