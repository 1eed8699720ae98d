"""Tables as a terminal shows them."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from rich.console import Console

from mlebench.cli.tables import terminal_table

if TYPE_CHECKING:
    from mlebench.analysis.tables.table import Table


def shown(table: Table, width: int = 120) -> str:
    file = io.StringIO()
    Console(file=file, width=width, force_terminal=False, no_color=True).print(terminal_table(table))
    return file.getvalue()
