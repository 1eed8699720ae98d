"""Sentiment of phrases from movie reviews, on a scale of five."""

from pathlib import Path

import pandas as pd

from mlebench.preparation import pack, read_csv, read_csv_by_digits, read_member, write_csv
from mlebench.tasks.split import Split


def prepare(raw: Path, public: Path, private: Path, split: Split) -> None:
    phrases = read_csv_by_digits(read_member(raw / "train.tsv.zip", "train.tsv"), sep="\t")
    write_split(*split(phrases), public, private)


def prepare_v2(raw: Path, public: Path, private: Path, split: Split) -> None:
    phrases = read_csv(read_member(raw / "train.tsv.zip", "train.tsv"), text=["Phrase"], sep="\t")
    write_split(*split(phrases, group="SentenceId"), public, private)


def write_split(train: pd.DataFrame, test: pd.DataFrame, public: Path, private: Path) -> None:
    for name, phrases in {"train.tsv": train, "test.tsv": test.drop(columns="Sentiment")}.items():
        content = phrases.to_csv(index=False, sep="\t", lineterminator="\n").encode()
        pack(public / f"{name}.zip", {name: content})
    write_csv(test[["PhraseId"]].assign(Sentiment=2), public / "sampleSubmission.csv")
    write_csv(test, private / "answers.csv")
