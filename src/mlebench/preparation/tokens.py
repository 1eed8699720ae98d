"""Tables of tokens in their written and spoken form, for the text normalization tasks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mlebench.ground.tables import read_csv, write_quoted_csv
from mlebench.preparation.archives import read_member
from mlebench.preparation.copies import without_copies
from mlebench.preparation.packing import packing
from mlebench.preparation.split import draw_groups

if TYPE_CHECKING:
    from pathlib import Path

    import pandas as pd


def split_spoken_tokens(raw: Path, public: Path, private: Path, language: str) -> None:
    """Split a table of tokens by sentence, and write public tables (a CSV in a zip archive each) and answers.

    Tokens such as `NA` are read as missing.

    Parameters
    ----------
    raw, public, private
        Folders of the task. The raw table is `LANGUAGE_train.csv.zip`, with the columns `sentence_id`, `token_id`,
        `class`, `before` and `after`. Both parts keep the order of rows and number their sentences from 0.
    language
        `en` or `ru`.
    """
    tokens = _read_tokens(raw, language)
    in_test = draw_groups(tokens["sentence_id"], test_size=0.1)
    _write_tokens(tokens[~in_test], tokens[in_test], public, private, language)


def split_spoken_texts(raw: Path, public: Path, private: Path, language: str) -> None:
    """Do what `split_spoken_tokens` does, with tokens as they are and without test sentences in train.

    All tokens are text. Sentences of train whose tokens are those of a test sentence are left out.
    """
    tokens = _read_tokens(raw, language, dtype=dict.fromkeys(["class", "before", "after"], str), na_filter=False)
    in_test = draw_groups(tokens["sentence_id"], test_size=0.1)
    train, test = tokens[~in_test], tokens[in_test]
    sentences, tested = (
        part.groupby("sentence_id", sort=False)["before"].agg("\n".join).rename("text").reset_index()
        for part in (train, test)
    )
    rest = without_copies(sentences, tested, lambda both: both["text"])
    train = train[train["sentence_id"].isin(rest["sentence_id"])]
    _write_tokens(train, test, public, private, language)


def _read_tokens(raw: Path, language: str, **options: Any) -> pd.DataFrame:
    name = f"{language}_train.csv"
    return read_csv(read_member(raw / f"{name}.zip", name), **options)


def _write_tokens(train: pd.DataFrame, test: pd.DataFrame, public: Path, private: Path, language: str) -> None:
    train, test = _renumber(train), _renumber(test)
    answers = test[["after"]]
    answers.insert(0, "id", test["sentence_id"].astype(str) + "_" + test["token_id"].astype(str))
    sample = answers.assign(after=test["before"])
    tables = {f"{language}_train.csv": train, f"{language}_test_2.csv": test[["sentence_id", "token_id", "before"]]}
    for member, table in {**tables, f"{language}_sample_submission_2.csv": sample}.items():
        with packing(public / f"{member}.zip", member) as file:
            write_quoted_csv(table, file)
    for member, table in {"answers.csv": answers, "sample_submission.csv": sample}.items():
        with (private / member).open("wb") as file:
            write_quoted_csv(table, file)


def _renumber(tokens: pd.DataFrame) -> pd.DataFrame:
    return tokens.assign(sentence_id=tokens["sentence_id"].factorize()[0])
