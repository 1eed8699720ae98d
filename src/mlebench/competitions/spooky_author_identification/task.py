"""Which of three authors wrote a sentence."""

from pathlib import Path

from mlebench.preparation import one_hot, read_csv, read_member, text_keys, write_csv
from mlebench.tasks.split import Split

PRIORS = {"EAP": 0.403493538995863, "HPL": 0.287808366106543, "MWS": 0.308698094897594}


def prepare(raw: Path, public: Path, private: Path, split: Split) -> None:
    sentences = read_csv(read_member(raw / "train.zip", "train.csv"))
    train, test = split(sentences, content=lambda rows: text_keys(rows["text"]))
    write_csv(train, public / "train.csv")
    write_csv(test.drop(columns="author"), public / "test.csv")
    write_csv(test[["id"]].assign(**PRIORS), public / "sample_submission.csv")
    write_csv(one_hot(test, "id", "author", list(PRIORS)), private / "test.csv")
