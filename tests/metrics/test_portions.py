from __future__ import annotations

from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from mlebench.metrics.portions import portions


@settings(max_examples=200, deadline=None)
@given(sizes=st.lists(st.integers(0, 20), min_size=1), limit=st.integers(0, 30))
def test_portions_hold_all_items_once_and_are_as_large_as_the_limit_allows(sizes, limit):
    found = [list(range(len(sizes)))[portion] for portion in portions(sizes, limit)]
    assert [item for portion in found for item in portion] == list(range(len(sizes)))
    for portion in found:
        assert len(portion) == 1 or sum(sizes[item] for item in portion) <= limit
    for portion, following in pairwise(found):
        assert sum(sizes[item] for item in [*portion, following[0]]) > limit


def test_nothing_has_no_portions():
    assert list(portions([], limit=5)) == []
