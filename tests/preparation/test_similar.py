from __future__ import annotations

import numpy as np
import pandas as pd

from mlebench.preparation import similar_groups


def edit_distance(one: str, other: str) -> int:
    """Return the edit distance by its definition."""
    if not one or not other:
        return len(one) + len(other)
    last = edit_distance(one[:-1], other[:-1]) + (one[-1] != other[-1])
    return min(last, edit_distance(one[:-1], other) + 1, edit_distance(one, other[:-1]) + 1)


def test_pairs_are_similar_as_the_definition_says():
    rng = np.random.default_rng(7)
    for _ in range(60):
        one, other = ("".join(rng.choice(list("AB"), rng.integers(1, 6))) for _ in range(2))
        for share in (0.1, 0.25, 0.5):
            groups = similar_groups(pd.Series([one, other]), share)
            near = edit_distance(one, other) <= share * max(len(one), len(other))
            assert (groups.nunique() == 1) == near, (one, other, share)


def test_similar_texts_are_linked_by_way_of_others():
    texts = pd.Series(["AAAAAAAAAA", "CCCCCCCCCC", "AAAAAAAAAG", "AAAAAAAAGG"], index=list("wxyz"))
    groups = similar_groups(texts, 0.1)
    assert groups["w"] == groups["y"] == groups["z"] != groups["x"]


def test_no_texts_have_no_groups():
    assert similar_groups(pd.Series([], dtype=object), 0.1).empty
