"""Pieces that are gathered without a loop are those that a loop slices."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from mlebench.preparation.rows.gather import gather


@given(text=st.binary(min_size=1, max_size=60), data=st.data())
def test_pieces_are_those_that_slicing_gives(text, data):
    """Of any length, in any order, more than once, up to the very end of the text."""
    places = st.integers(0, len(text))
    pieces = data.draw(st.lists(st.tuples(places, places).map(sorted), max_size=30))
    starts, stops = np.array(pieces, dtype=np.int64).reshape(-1, 2).T
    assert gather(text, starts, stops) == b"".join(text[start:stop] for start, stop in pieces)


def test_a_long_piece_among_short_ones_is_not_paid_for_by_all():
    text = b"ab\n" * 1000 + b"x" * 2**24
    starts, stops = np.arange(1001) * 3, np.append(np.arange(1, 1001) * 3, len(text))
    assert gather(text, starts, stops) == text  # a matrix would have 16 GiB
