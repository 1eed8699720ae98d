"""What the run keeps: the last good submission, the code, and the logs."""

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
_CODE_BYTES, _CODE_FILES = 10_000_000, 1_000
_REST = 2.0
"""Seconds for which a file that is being written has to stand still."""


@dataclass
class Kept:
    """Mirrors what is worth keeping out of the work folder."""

    task: Task
    work: Path
    _seen: tuple[int, int] | None = None
    _settling: tuple[int, int] | None = None
    _last: float = field(default_factory=time.monotonic)

    def keep_submission(self) -> str | None:
        """Put a new submission in place and return what the check says of it; None if there is no new one.

        One that is not valid does not replace one that is.
        """
        facts = self._facts()
        if facts is None or facts == self._seen:
            return None
        said = self.task.submit(self.work / SUBMISSION)
        self._seen = facts
        self.log(f"submission of {facts[1]} bytes: {said}")
        return said

    def keep_settled(self) -> None:
        """While a script runs: keep a submission that has not changed for a moment."""
        if time.monotonic() - self._last < _REST:
            return
        self._last = time.monotonic()
        facts = self._facts()
        if facts == self._settling:
            self.keep_submission()
        self._settling = facts

    def keep_code(self) -> None:
        """Copy the small files of the work folder to the code that the run keeps."""
        kept = 0
        for path in sorted(self.work.rglob("*")):
            inner = path.relative_to(self.work)
            if path.is_symlink() or not path.is_file() or inner.parts[0] in ("submission", "data"):
                continue
            if path.stat().st_size < _CODE_BYTES and kept < _CODE_FILES:
                target = self.task.code / inner
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path, target)
                kept += 1

    def log(self, text: str) -> None:
        """Say something in the log that people read, and on standard output."""
        print(text, flush=True)
        self._add("main.log", f"[{self.task.seconds - self.task.seconds_left:8.1f}s] {text}\n")

    def record(self, name: str, **facts: Any) -> None:
        """Add a line to a log that programs read."""
        self._add(f"{name}.jsonl", json.dumps(facts) + "\n")

    def _add(self, name: str, text: str) -> None:
        with (self.task.logs / name).open("a", encoding="utf-8") as file:
            file.write(text)

    def _facts(self) -> tuple[int, int] | None:
        try:
            facts = (self.work / SUBMISSION).stat()
        except OSError:
            return None
        return facts.st_mtime_ns, facts.st_size
