"""Tables with a row for each token of a sentence, in its written and its spoken form."""

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
    """Split a table of tokens by sentence, hand it out in zips of one stored CSV each, and write the answers.

    The raw table is a zip as well, `<language>_train.csv.zip`, with the columns `sentence_id`, `token_id`, `class`,
    `before` and `after`. Sentences are numbered anew in both parts, whose rows keep their order.
    """
    name = f"{language}_train.csv"
    tokens = read_csv(read_member(raw / f"{name}.zip", name))
    in_test = draw_groups(tokens["sentence_id"], test_size=0.1)
    train, test = _numbered_anew(tokens[~in_test]), _numbered_anew(tokens[in_test])
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


def _numbered_anew(tokens: pd.DataFrame) -> pd.DataFrame:
    return tokens.assign(sentence_id=tokens["sentence_id"].factorize()[0])
