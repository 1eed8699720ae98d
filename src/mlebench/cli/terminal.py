"""A console that shows words as they are, and tables whole."""

from __future__ import annotations

from typing import Any, Never

from rich.console import Console
from rich.measure import Measurement
from rich.table import Table

BOUNDLESS = 10_000


class Terminal(Console):
    """What is printed may quote agents, paths and errors, so nothing in it is taken for markup.

    A table that does not fit keeps the width that its words and numbers need, and the terminal breaks its lines:
    cropped ones would lose digits, and be read as other numbers.
    """

    def __init__(self, *, stderr: bool = False) -> None:
        super().__init__(stderr=stderr, highlight=False, markup=False, emoji=False)

    def print(self, *objects: Any, **options: Any) -> None:
        tables = [thing for thing in objects if isinstance(thing, Table)]
        if not tables:
            super().print(*objects, **options)
            return
        before = self.width
        self.width = max([before, *map(self._need, tables)])
        try:
            super().print(*objects, **{"crop": False, **options})
        finally:
            self.width = before

    def on_broken_pipe(self) -> Never:
        raise BrokenPipeError  # for the command to end with, instead of an exit code that says no

    def _need(self, table: Table) -> int:
        """Let no column become narrower than its longest word or number, and return what all take then."""
        room = self.options.update(width=BOUNDLESS)
        for column in table.columns:
            if column.min_width is None:
                sizes = [Measurement.get(self, room, cell) for cell in (column.header, *column.cells)]
                column.min_width = max(size.maximum if column.no_wrap else size.minimum for size in sizes)
        return Measurement.get(self, room, table).minimum
