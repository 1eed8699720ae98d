"""Words that look missing are words in v2, and texts without words are texts."""

from __future__ import annotations

import pandas as pd
import pytest

from mlebench.errors import InvalidSubmissionError
from mlebench.ground.tables import read_csv

ID = "tweet-sentiment-extraction"


@pytest.mark.parametrize(("label", "has_word"), [(ID, False), (f"{ID}@v2", True)])
def test_null_is_a_word_in_v2(label, has_word, prepared):
    train = read_csv(prepared(label).public_dir / "train.csv", text=["text", "selected_text"])
    for name in ("text", "selected_text"):
        assert ("null" in set(train[name])) == has_word


def test_two_texts_without_words_agree_in_v2(prepared):
    texts = pd.DataFrame({"textID": ["a", "b"], "selected_text": ["", "so happy"]})
    assert prepared(f"{ID}@v2").grader.score(texts, texts) == 1
    with pytest.raises(InvalidSubmissionError):
        prepared(ID).grader.score(texts, texts)
