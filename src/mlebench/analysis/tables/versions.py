"""The table of what changes from v1 to v2: in grading, and in the data."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mlebench.analysis.tables.table import Cell, Column, Table, interval, number, text
from mlebench.analysis.tables.titles import title

if TYPE_CHECKING:
    from collections.abc import Callable

    from mlebench.analysis.model import Difference, Summary, VersionEffect


def _competitions(row: VersionEffect) -> Cell:
    return Cell(f"{row.regraded} of {len(row.competitions)}", f"{row.regraded} {len(row.competitions)}")


def _difference(
    name: str, heading: str, of: Callable[[VersionEffect], Difference | None]
) -> list[Column[VersionEffect]]:
    """Return the columns of a difference and of its interval."""

    def mean(row: VersionEffect) -> Cell:
        found = of(row)
        return number(found.mean if found else None)

    def bounds(row: VersionEffect) -> Cell:
        found = of(row)
        return interval(found.interval if found else None)

    return [Column(name, heading, mean, "right"), Column(f"{name}_interval", "95 %", bounds, "right")]


COLUMNS: tuple[Column[VersionEffect], ...] = (
    Column("agent", "Agent", lambda row: text(row.agent)),
    Column("rate", "Column", lambda row: text(row.rate.heading)),
    Column("competitions", "Regraded", _competitions, "right"),
    Column("v1", "v1", lambda row: number(row.v1), "right"),
    Column("v2", "v2", lambda row: number(row.v2), "right"),
    *_difference("total", "Difference", lambda row: row.total),
    *_difference("grading", "by grading", lambda row: row.grading),
    *_difference("data", "by data", lambda row: row.data),
)


def version_table(summary: Summary) -> Table[VersionEffect]:
    """One row per agent and rate, for agents with runs of a competition in both versions."""
    return Table(
        name="versions",
        title=title(summary, "From v1 to v2 of the competitions that an agent has in both"),
        caption=(
            "Percent of runs, and differences in percentage points with 95 % intervals over competitions. By grading:"
            " the rules of v2 on the data of v1, minus v1; by data: v2 minus that. Both are over the competitions that"
            " `mlebench regrade GROUP --rules v2` could regrade; the others have answers that v2 cannot read, or were"
            " not regraded."
        ),
        columns=COLUMNS,
        rows=summary.versions,
    )
