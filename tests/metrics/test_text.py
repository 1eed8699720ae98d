from __future__ import annotations

import math

from mlebench.metrics.text import exact_match_score, text_jaccard_score, word_jaccard_score


def test_exact_match_compares_what_is_printed():
    assert exact_match_score(["5", "nan", "a ", "7.0"], [5, math.nan, "a", 7.0]) == 0.75


def test_texts_without_words_share_nothing_in_v1_and_agree_later():
    assert word_jaccard_score(["", "a"], [" ", "A"]) == 0.5
    assert text_jaccard_score(["", "a"], [" ", "A"]) == 1
    assert text_jaccard_score(["", "a"], ["a", ""]) == 0
