"""What the run keeps: the last valid submission, the code, and the logs."""

from __future__ import annotations

import json
import shutil
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mlebench.agents.inside.mlebench_task import Task

SUBMISSION = Path("submission") / "submission.csv"
_MAX_CODE_BYTES, _MAX_CODE_FILES = 10_000_000, 1_000
_SETTLE_SECONDS = 2.0
"""A submission counts as written once it has not changed for this long."""


@dataclass
class Outputs:
    """Copies what is worth keeping from the work folder."""

    task: Task
    work: Path
    _seen: tuple[int, int] | None = None
    _settling: tuple[int, int] | None = None
    _last: float = field(default_factory=time.monotonic)

    def keep_submission(self) -> str | None:
        """Submit a new submission and return the message of the check; None if there is no new one.

        An invalid submission does not replace a valid one.
        """
        fingerprint = self._fingerprint()
        if fingerprint is None or fingerprint == self._seen:
            return None
        message = self.task.submit(self.work / SUBMISSION)
        self._seen = fingerprint
        self.log(f"submission of {fingerprint[1]} bytes: {message}")
        return message

    def keep_settled(self) -> None:
        """Keep a submission that has not changed for a moment; called while a script runs."""
        if time.monotonic() - self._last < _SETTLE_SECONDS:
            return
        self._last = time.monotonic()
        fingerprint = self._fingerprint()
        if fingerprint == self._settling:
            self.keep_submission()
        self._settling = fingerprint

    def keep_code(self) -> None:
        """Copy the small files of the work folder to the code folder."""
        copied = 0
        for path in sorted(self.work.rglob("*")):
            inner = path.relative_to(self.work)
            if path.is_symlink() or not path.is_file() or inner.parts[0] in ("submission", "data"):
                continue
            if path.stat().st_size < _MAX_CODE_BYTES and copied < _MAX_CODE_FILES:
                target = self.task.code / inner
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path, target)
                copied += 1

    def log(self, text: str) -> None:
        """Write to the log for people, and to standard output."""
        print(text, flush=True)
        self._append("main.log", f"[{self.task.seconds - self.task.seconds_left:8.1f}s] {text}\n")

    def record(self, name: str, **facts: Any) -> None:
        """Add a line to a log for programs."""
        self._append(f"{name}.jsonl", json.dumps(facts) + "\n")

    def _append(self, name: str, text: str) -> None:
        with (self.task.logs / name).open("a", encoding="utf-8") as file:
            file.write(text)

    def _fingerprint(self) -> tuple[int, int] | None:
        try:
            facts = (self.work / SUBMISSION).stat()
        except OSError:
            return None
        return facts.st_mtime_ns, facts.st_size
