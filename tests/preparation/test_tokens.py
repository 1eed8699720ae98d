"""Tables of tokens, split by sentence."""

from __future__ import annotations

import csv

import pandas as pd
from sklearn.model_selection import train_test_split

from mlebench.ground.tables import read_csv
from mlebench.preparation import pack, split_spoken_tokens

SENTENCES = [5, 2, 90, 7, 8, 30, 31, 32, 33, 34, 60]


def test_sentences_are_split_whole_and_numbered_again(tmp_path):
    raw, public, private = (tmp_path / name for name in ("raw", "public", "private"))
    for folder in (raw, public, private):
        folder.mkdir()
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
