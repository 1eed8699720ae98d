"""A console that prints text literally and never crops tables."""

from __future__ import annotations

from typing import Any, Never

from rich.console import Console
from rich.measure import Measurement
from rich.table import Table

UNLIMITED = 10_000


class Terminal(Console):
    """A console without markup, since output quotes agents, paths and errors.

    A table that does not fit keeps the width of its words and numbers, and the terminal wraps its lines. Cropping
    would drop digits, and so show other numbers.
    """

    def __init__(self, *, stderr: bool = False) -> None:
        super().__init__(stderr=stderr, highlight=False, markup=False, emoji=False)

    def print(self, *objects: Any, **options: Any) -> None:
        tables = [item for item in objects if isinstance(item, Table)]
        if not tables:
            super().print(*objects, **options)
            return
        before = self.width
        self.width = max([before, *map(self._min_width, tables)])
        try:
            super().print(*objects, **{"crop": False, **options})
        finally:
            self.width = before

    def on_broken_pipe(self) -> Never:
        raise BrokenPipeError  # which `Command` turns into an exit code of its own

    def _min_width(self, table: Table) -> int:
        """Keep each column as wide as its longest word or number; return the width of the table then."""
        room = self.options.update(width=UNLIMITED)
        for column in table.columns:
            if column.min_width is None:
                sizes = [Measurement.get(self, room, cell) for cell in (column.header, *column.cells)]
                column.min_width = max(size.maximum if column.no_wrap else size.minimum for size in sizes)
        return Measurement.get(self, room, table).minimum
