from __future__ import annotations

import pandas as pd
import pytest

from mlebench.scan.finding import NothingToScanError
from mlebench.scan.order import scan_order


def test_runs_of_one_class_in_the_test_table_are_found(make, rows, scan):
    test = rows(120).sort_values("label").reset_index(drop=True)
    blocks = pd.concat([test.iloc[start::3].iloc[:40] for start in range(3)], ignore_index=True)
    (finding,) = scan(scan_order, make(rows(40), blocks))
    assert finding.file == "test.csv"


def test_rows_in_random_order_are_silent(make, rows, scan):
    assert scan(scan_order, make(rows(40), rows(200))) == []


def test_positions_of_a_sequence_belong_together(make, rows, scan):
    test = rows(120).sort_values("label")
    test["id"] = [f"{number // 10:x}m_{number % 10}" for number in range(120)]
    with pytest.raises(NothingToScanError, match="parts"):
        scan(scan_order, make(None, test))
