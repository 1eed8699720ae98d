"""Tables of tokens in their written and spoken form, for the text normalization tasks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mlebench.ground.tables import read_csv, write_quoted_csv
from mlebench.preparation.archives import read_member
from mlebench.preparation.packing import packing
from mlebench.preparation.split import draw_groups

if TYPE_CHECKING:
    from pathlib import Path

    import pandas as pd


def split_spoken_tokens(raw: Path, public: Path, private: Path, language: str) -> None:
    """Split a table of tokens by sentence, and write public tables (a CSV in a zip archive each) and answers.

    Parameters
    ----------
    raw, public, private
        Folders of the task. The raw table is `LANGUAGE_train.csv.zip`, with the columns `sentence_id`, `token_id`,
        `class`, `before` and `after`. Both parts keep the order of rows and number their sentences from 0.
    language
        `en` or `ru`.
    """
    name = f"{language}_train.csv"
    tokens = read_csv(read_member(raw / f"{name}.zip", name))
    in_test = draw_groups(tokens["sentence_id"], test_size=0.1)
    train, test = _renumber(tokens[~in_test]), _renumber(tokens[in_test])
    answers = test[["after"]]
    answers.insert(0, "id", test["sentence_id"].astype(str) + "_" + test["token_id"].astype(str))
    sample = answers.assign(after=test["before"])
    tables = {name: train, f"{language}_test_2.csv": test[["sentence_id", "token_id", "before"]]}
    for member, table in {**tables, f"{language}_sample_submission_2.csv": sample}.items():
        with packing(public / f"{member}.zip", member) as file:
            write_quoted_csv(table, file)
    for member, table in {"answers.csv": answers, "sample_submission.csv": sample}.items():
        with (private / member).open("wb") as file:
            write_quoted_csv(table, file)


def _renumber(tokens: pd.DataFrame) -> pd.DataFrame:
    return tokens.assign(sentence_id=tokens["sentence_id"].factorize()[0])
