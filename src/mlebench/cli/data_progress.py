"""Live progress of preparing: bars on a terminal, a line for each step elsewhere."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Self

from mlebench.cli.output import console
from mlebench.ground.wording import count, format_short_duration, format_size
from mlebench.tasks.ref import TaskRef

if TYPE_CHECKING:
    from rich.console import Group

    from mlebench.data.progress import Step
    from mlebench.data.results import PrepareResult

BAR_WIDTH = 24
"""In characters."""
REPORT_SECONDS = 30.0
"""Between two lines about a long step, without a terminal."""


@dataclass
class _Row:
    """The current step of a competition."""

    step: Step | None = None
    total: int | None = None
    bytes: int = 0
    files: int = 0
    started: float = field(default_factory=time.monotonic)
    reported: float = field(default_factory=time.monotonic)

    def describe(self) -> str:
        """Return what is done, and the rate."""
        total = f" of {format_size(self.total)}" if self.total else ""
        done = [format_size(self.bytes) + total] if self.bytes else []
        done += [count(self.files, "file")] if self.files else []
        seconds = time.monotonic() - self.started
        if self.bytes and seconds >= 1:
            done.append(f"{format_size(self.bytes / seconds)}/s")
        return ", ".join(done)


class DataProgress:
    """Shows on standard error how competitions are prepared: a BatchProgress and a context manager."""

    def __init__(self, total: int) -> None:
        self._console = console(stderr=True)
        self._total, self._done = total, 0
        self._rows: dict[str, _Row] = {}
        self._lock = threading.RLock()

    def __enter__(self) -> Self:
        from rich.live import Live

        self._live = Live(get_renderable=self._render, console=self._console, transient=True, refresh_per_second=4)
        if self._console.is_terminal:
            self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._console.is_terminal:
            self._live.stop()

    def step(self, label: str, step: Step, total: int | None) -> None:
        with self._lock:
            self._rows[label] = _Row(step, total)
            if not self._console.is_terminal:
                self._print(f"{label}: {step}{f', {format_size(total)}' if total else ''}")

    def advance(self, label: str, size: int, files: int) -> None:
        with self._lock:
            row = self._rows.setdefault(label, _Row())
            row.bytes, row.files = row.bytes + size, row.files + files
            if not self._console.is_terminal and time.monotonic() - row.reported >= REPORT_SECONDS:
                row.reported = time.monotonic()
                self._print(f"{label}: {row.step}, {row.describe()}")

    def message(self, label: str, text: str) -> None:
        with self._lock:
            self._print(text if TaskRef.parse(label).competition_id in text or self._total == 1 else f"{label}: {text}")

    def finished(self, result: PrepareResult) -> None:
        with self._lock:
            self._rows.pop(result.label, None)
            self._done += 1
            prefix = f"[{self._done}/{self._total}] " if self._total > 1 else ""
            text = f"{prefix}{result.label}: {result.outcome}"
            if result.manifest is not None:
                text += f", {result.manifest.source} data, after {format_short_duration(result.seconds)}"
            self._print(f"{text}: {result.error}" if result.error else text)

    def _print(self, text: str) -> None:
        self._console.print(text, soft_wrap=True)

    def _render(self) -> Group:
        from rich.console import Group
        from rich.progress_bar import ProgressBar
        from rich.table import Table
        from rich.text import Text

        table = Table(box=None, padding=(0, 2, 0, 0), show_header=False)
        with self._lock:
            for label, row in self._rows.items():
                share = min(row.bytes, row.total) if row.total else 0
                bar = ProgressBar(total=row.total or 1, completed=share, width=BAR_WIDTH) if row.total else Text("")
                minutes, seconds = divmod(int(time.monotonic() - row.started), 60)
                table.add_row(label, row.step or "", bar, f"{minutes}:{seconds:02}", Text(row.describe()))
            done = Text(f"{self._done} of {self._total} competitions" if self._total > 1 else "")
        return Group(table, done)
