"""Sentiment of phrases from movie reviews, on a scale of five."""

from pathlib import Path

import pandas as pd

from mlebench.preparation import group_split, pack, read_csv_by_digits, read_member, train_test_split, write_csv


def prepare(raw: Path, public: Path, private: Path) -> None:
    write_split(*train_test_split(read_phrases(raw), test_size=0.3), public, private)


def prepare_by_sentence(raw: Path, public: Path, private: Path) -> None:
    phrases = read_phrases(raw)
    write_split(*group_split(phrases, phrases["SentenceId"], test_size=0.3), public, private)


def read_phrases(raw: Path) -> pd.DataFrame:
    return read_csv_by_digits(read_member(raw / "train.tsv.zip", "train.tsv"), sep="\t")


def write_split(train: pd.DataFrame, test: pd.DataFrame, public: Path, private: Path) -> None:
    for name, phrases in {"train.tsv": train, "test.tsv": test.drop(columns="Sentiment")}.items():
        content = phrases.to_csv(index=False, sep="\t", lineterminator="\n").encode()
        pack(public / f"{name}.zip", {name: content})
    write_csv(test[["PhraseId"]].assign(Sentiment=2), public / "sampleSubmission.csv")
    write_csv(test, private / "answers.csv")
