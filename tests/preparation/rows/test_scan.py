from __future__ import annotations

import numpy as np
import pytest

from mlebench.preparation.rows import scan
from mlebench.preparation.rows.cells import Kind
from mlebench.preparation.rows.scan import scan_lines

HEAD = b"a,b\n"


@pytest.mark.parametrize("block", [1, 7, 2**19])
def test_the_ends_and_kinds_of_all_lines_are_found_however_few_bytes_are_scanned_at_a_time(block, monkeypatch):
    monkeypatch.setattr(scan, "BLOCK", block)
    text = HEAD + "x,1\nyé,0.5\n,-3\n".encode()
    blocks = scan_lines(text, len(HEAD), 2)
    stops = np.concatenate([found.stops for found in blocks]).tolist()
    assert stops == [place for place, byte in enumerate(text) if byte == ord("\n")][1:]
    kinds = np.concatenate([found.kinds for found in blocks]).tolist()
    assert kinds == [[Kind.TEXT, Kind.INTEGER], [Kind.TEXT, Kind.DECIMAL], [Kind.EMPTY, Kind.INTEGER]]


@pytest.mark.parametrize(
    "lines",
    [b"1\n", b"1,2,3\n", b"1,2,3\n4\n", b"1\n2\n", b"1,2\n\n", b"1,\xff\n", b"1,1.2.3\n", b"x,1e400\n"],
)
def test_lines_that_cannot_be_moved_unchanged_give_nothing(lines):
    assert scan_lines(HEAD + b"1,2\n" + lines, len(HEAD), 2) is None


def test_a_table_without_rows_has_no_blocks():
    assert scan_lines(HEAD, len(HEAD), 2) == []
