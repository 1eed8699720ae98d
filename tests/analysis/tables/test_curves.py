from __future__ import annotations

from typing import TYPE_CHECKING

from mlebench.analysis.tables import TABLES

from ..files import read_summary, write_group
from ..records import make_graded_run, make_group, make_point

if TYPE_CHECKING:
    from pathlib import Path


def test_table_of_curves(tmp_path: Path) -> None:
    one = make_graded_run("a", 0, 0.99)
    table = TABLES["curve"](
        read_summary(write_group(tmp_path / "g", make_group(one), {one.run_id: [make_point(1, 0.99)]}))
    )
    rows = {row[2].value: row[3].value for row in table.cells}
    assert (rows[0.0], rows[1.0], rows[2.0]) == (0, 100, 100)
