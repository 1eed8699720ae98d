"""Tables of tokens, split by sentence."""

from __future__ import annotations

import csv

import pandas as pd
import pytest
from sklearn.model_selection import train_test_split

from mlebench.ground.tables import read_csv
from mlebench.preparation import pack, split_spoken_texts, split_spoken_tokens

SENTENCES = [5, 2, 90, 7, 8, 30, 31, 32, 33, 34, 60]


@pytest.fixture
def folders(tmp_path):
    folders = [tmp_path / name for name in ("raw", "public", "private")]
    for folder in folders:
        folder.mkdir()
    return folders


def test_sentences_are_split_whole_and_numbered_again(folders):
    raw, public, private = folders
    rows = [(s, t, "PLAIN", f"b{s}.{t}", f'a"{s}" {t}' if t else "NA") for s in SENTENCES for t in range(1 + s % 3)]
    tokens = pd.DataFrame(rows, columns=["sentence_id", "token_id", "class", "before", "after"])
    text = tokens.to_csv(index=False, quoting=csv.QUOTE_NONNUMERIC)
    pack(raw / "xx_train.csv.zip", {"xx_train.csv": text.encode()})
    split_spoken_tokens(raw, public, private, language="xx")

    _, drawn = train_test_split(SENTENCES, test_size=0.1, random_state=0)
    wanted = tokens[tokens["sentence_id"].isin(drawn)]
    numbers = {id: number for number, id in enumerate(id for id in SENTENCES if id in drawn)}
    test = read_csv(public / "xx_test_2.csv.zip")
    assert test["before"].tolist() == wanted["before"].tolist()
    assert test["sentence_id"].tolist() == wanted["sentence_id"].map(numbers).tolist()
    answers = read_csv(private / "answers.csv", keep_default_na=False)
    assert answers["id"].tolist() == [f"{s}_{t}" for s, t in test[["sentence_id", "token_id"]].itertuples(index=False)]
    assert answers["after"].tolist() == wanted["after"].replace("NA", "").tolist()
    assert read_csv(private / "sample_submission.csv")["after"].tolist() == test["before"].tolist()
    train = read_csv(public / "xx_train.csv.zip")
    assert len(train) == len(tokens) - len(test)
    assert train["sentence_id"].unique().tolist() == list(range(len(SENTENCES) - len(drawn)))


def test_texts_are_kept_and_test_sentences_are_not_in_train(folders):
    raw, public, private = folders
    words = ["NA", "null", "1.50", "7"]
    rows = [(s, t, "PLAIN", words[(s + t) % 4], "NA") for s in SENTENCES for t in range(3)]
    tokens = pd.DataFrame(rows, columns=["sentence_id", "token_id", "class", "before", "after"])
    pack(raw / "xx_train.csv.zip", {"xx_train.csv": tokens.to_csv(index=False).encode()})
    split_spoken_texts(raw, public, private, language="xx")

    train, test = (
        read_csv(public / name, dtype=str, keep_default_na=False).groupby("sentence_id")["before"].agg(" ".join)
        for name in ("xx_train.csv.zip", "xx_test_2.csv.zip")
    )
    every = tokens.groupby("sentence_id")["before"].agg(" ".join)
    assert set(train) | set(test) == set(every)
    assert sorted(train) == sorted(every[~every.isin(test)])
    assert set(read_csv(private / "answers.csv", keep_default_na=False)["after"]) == {"NA"}
