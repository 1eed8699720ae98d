"""Rows are paired by ids in the same way whichever road is taken."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mlebench.errors import InvalidSubmissionError
from mlebench.tasks import matching
from mlebench.tasks.matching import match_ids, match_repeats, match_texts

TEXTS = st.one_of(
    st.text("ab01", min_size=1, max_size=3),
    st.text("ab", min_size=14, max_size=18),
    st.text("b", min_size=62, max_size=66),
    st.sampled_from(["\u00e9t\u00e9", "a\u0130", "-1", "1", "1.0", " a", "a "]),
)
KINDS = {
    "texts": TEXTS,
    "whole numbers": st.integers(-3, 3),
    "numbers": st.sampled_from([0.0, -0.0, 0.5, 1.0, 2.0]),
    "numbers and text": st.sampled_from([1, 2, "1", "2", "x"]),
    "gaps": st.sampled_from(["a", "b", None]),
}


@st.composite
def pairs(draw: st.DrawFn) -> tuple[list[object], list[object]]:
    """Ids of a submission and those of the answers: mostly the same in another order, often with a small change."""
    kind = KINDS[draw(st.sampled_from(list(KINDS)))]
    right = draw(st.lists(kind, min_size=1, max_size=8, unique=draw(st.booleans())))
    left = draw(st.permutations(right))
    if draw(st.booleans()):
        left = [*left[:-1], draw(st.one_of(kind, st.sampled_from(left)))]
    return left, right


def outcome(left, right):
    """What comes of pairing: the order, or the sentence that says what is wrong."""
    try:
        return np.asarray(match_ids(pd.DataFrame({"id": left}), pd.DataFrame({"id": right}))).tolist()
    except InvalidSubmissionError as error:
        return str(error)


@given(pair=pairs())
def test_texts_are_paired_as_all_ids_are(pair):
    quick = outcome(*pair)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(matching, "match_texts", lambda *_: None)
        assert quick == outcome(*pair)


@given(pair=pairs(), modulus=st.integers(1, 4))
def test_hashes_that_collide_do_no_harm(pair, modulus):
    usual = outcome(*pair)
    with pytest.MonkeyPatch.context() as patch:
        hashes = matching._hashes
        patch.setattr(matching, "_hashes", lambda keys: hashes(keys) % np.uint64(modulus))
        assert outcome(*pair) == usual


@given(columns=st.lists(pairs(), min_size=1, max_size=2), turn=st.integers(0, 7))
def test_order_is_that_of_an_index_of_pandas(columns, turn):
    rows = min(len(left) for left, _ in columns)
    left, right = (
        pd.DataFrame({f"id{number}": pair[side][:rows] for number, pair in enumerate(columns)}) for side in (0, 1)
    )
    left = left.iloc[np.roll(np.arange(rows), turn)].reset_index(drop=True)
    simple, target = (
        pd.Index(ids["id0"]) if len(columns) == 1 else pd.MultiIndex.from_frame(ids) for ids in (left, right)
    )
    if not target.is_unique:
        return
    wanted = simple.get_indexer(target).tolist() if simple.is_unique else [-1]
    try:
        found = match_ids(left, right)
    except InvalidSubmissionError:
        assert -1 in wanted
    else:
        assert wanted == (list(range(rows)) if found is None else found.tolist())


def test_no_table_holds_hashes_of_the_ids_of_a_submission(monkeypatch):
    """The hashes of pandas are known: half a million ids with the same one take hours."""
    submitted = {7, 8, 9, "7", "8", "9"}

    def guarded(method):
        def call(self, *arguments, **options):
            assert len(self) == 1 or not submitted & set(self), "ids of the submission are in a hash table"
            return method(self, *arguments, **options)

        return call

    for name in ("get_indexer", "duplicated"):
        monkeypatch.setattr(pd.Index, name, guarded(getattr(pd.Index, name)))
    monkeypatch.setattr(pd.Index, "is_unique", property(guarded(lambda index: len(set(index)) == len(index))))
    for kind in (int, str):
        left = pd.DataFrame({"id": pd.Series([7, 8, 9]).astype(kind)})
        right = pd.DataFrame({"id": pd.Series([1, 2, 3]).astype(kind)})
        for ids in (left, left.assign(part="a")):
            others = right.assign(part="a") if len(ids.columns) == 2 else right
            for match in (match_ids, match_repeats):
                with pytest.raises(InvalidSubmissionError):
                    match(ids, others)


def test_only_unique_short_ascii_texts_take_the_short_road():
    def order(left, right):
        found = match_texts(pd.Series(left), pd.Series(right))
        return None if found is None else found.tolist()

    assert order(["b", "a"], ["a", "b"]) == [1, 0]
    assert order(["b" * 63, "a" * 16], ["a" * 16, "b" * 63]) == [1, 0]
    for left, right in (
        (["b", "a"], ["a", "c"]),
        (["a", "a"], ["a", "b"]),
        (["a", "b"], ["a", "a"]),
        (["b", "a"], ["a", "b" * 64]),
        (["b" * 16, "a"], ["a", "b" * 15]),
        (["b" * 65, "a"], ["a", "b" * 63]),
        (["\u00e9", "a"], ["a", "\u00e9"]),
        ([1, 2], [2, 1]),
        (["1", "2"], [2, 1]),
        (["a", None], [None, "a"]),
    ):
        assert order(left, right) is None
