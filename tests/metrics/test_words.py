"""Words in portions are those of str.split."""

from __future__ import annotations

from itertools import chain

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mlebench.metrics import words

TEXTS = st.text("ab \t\n\x1c\u00a0\u2003\ud7ff,", max_size=40)


@given(TEXTS, st.sampled_from([None, " ", ", "]), st.integers(0, 12))
def test_portions_hold_all_words_in_order(text, separator, portion):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(words, "PORTION", portion)
        found = list(chain.from_iterable(words.split_in_portions(text, separator)))
        assert found == (text.split(separator) if text else [])
        assert list(words.split_words(text)) == text.split()


def test_every_blank_ends_a_portion():
    blanks = [chr(code) for code in range(0x110000) if chr(code).isspace()]
    assert all(words.BLANK.match(blank) for blank in blanks)
    assert all(len(f"a{blank}b".split()) == 2 for blank in blanks)
