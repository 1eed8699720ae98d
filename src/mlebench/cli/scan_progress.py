"""Progress of a scan: the current step on a terminal, a line for each step elsewhere."""

from __future__ import annotations

import time
from typing import Self

from mlebench.cli.output import console
from mlebench.ground.wording import count

REPORT_SECONDS = 30.0
"""Between two lines about a long step, without a terminal."""


class LiveScan:
    """Shows on standard error how a scan proceeds: a ScanProgress and a context manager."""

    def __init__(self, label: str) -> None:
        self._console = console(stderr=True)
        self._label, self._scanner, self._files, self._told = label, "", 0, time.monotonic()

    def __enter__(self) -> Self:
        from rich.progress import Progress, TextColumn, TimeElapsedColumn

        columns = (TextColumn("{task.description}"), TimeElapsedColumn(), TextColumn("{task.fields[files]}"))
        self._bar = Progress(*columns, console=self._console, transient=True, disable=not self._console.is_terminal)
        self._task = self._bar.add_task(self._label, total=None, files="")
        self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.stop()

    def step(self, scanner: str) -> None:
        self._scanner, self._files = scanner, 0
        self._bar.reset(self._task, description=f"{self._label}: {scanner}", files="")
        if not self._console.is_terminal:
            self._console.print(f"{self._label}: {scanner}", soft_wrap=True)

    def advance(self, files: int) -> None:
        self._files += files
        if time.monotonic() - self._told >= (0.25 if self._console.is_terminal else REPORT_SECONDS):
            self._told = time.monotonic()
            self._bar.update(self._task, files=count(self._files, "file"))
            if not self._console.is_terminal:
                self._console.print(f"{self._label}: {self._scanner}, {count(self._files, 'file')}", soft_wrap=True)
