"""Live progress of a group of runs: a bar and what runs now on a terminal, a line for each finished run elsewhere."""

from __future__ import annotations

import sys
import threading
from typing import TYPE_CHECKING, Self

from mlebench.cli.output import console

if TYPE_CHECKING:
    from mlebench.runs.record import RunRecord


class LiveProgress:
    """Shows a group's runs on standard error; a context manager, called from many threads."""

    def __init__(self, total: int, done: int) -> None:
        self._console = console(stderr=True)
        self._total = total
        self._done = done
        self._running: list[str] = []
        self._lock = threading.Lock()

    def __enter__(self) -> Self:
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

        self._bar = Progress(
            TextColumn("runs"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TextColumn("{task.description}"),
            console=self._console,
            transient=True,
            disable=not sys.stderr.isatty(),
        )
        self._task = self._bar.add_task("", total=self._total, completed=self._done)
        self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.stop()

    def started(self, run: RunRecord) -> None:
        with self._lock:
            self._running.append(run.run_id)
            self._show()

    def finished(self, run: RunRecord) -> None:
        with self._lock:
            self._running.remove(run.run_id)
            self._done += 1
            self._console.print(f"[{self._done}/{self._total}] {_story(run)}", markup=False, soft_wrap=True)
            self._show()

    def _show(self) -> None:
        self._bar.update(self._task, completed=self._done, description=", ".join(self._running))


def _story(run: RunRecord) -> str:
    """Return one line that says what came of a run."""
    facts = [run.run_id]
    if run.ending is not None:
        facts.append(f"{run.ending.reason} after {run.ending.seconds:.1f} s")
    if run.verdict is not None:
        score = "no score" if run.verdict.score is None else f"score {run.verdict.score:g}"
        medal = f", {run.verdict.medal} medal" if run.verdict.medal else ""
        reason = f" ({run.verdict.reason})" if run.verdict.reason else ""
        facts.append(f"{run.verdict.outcome}, {score}{medal}{reason}")
    return "; ".join(facts)
