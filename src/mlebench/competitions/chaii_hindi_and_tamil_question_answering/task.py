"""Questions in Hindi and Tamil, to be answered by a span of a given text."""

from pathlib import Path

from mlebench.preparation import read_csv, train_test_split, write_csv


def prepare(raw: Path, public: Path, private: Path) -> None:
    train, test = train_test_split(read_csv(raw / "train.csv"), test_size=0.1)
    answers = test[["id"]].assign(PredictionString=test["answer_text"])
    write_csv(train, public / "train.csv")
    write_csv(test.drop(columns=["answer_start", "answer_text"]), public / "test.csv")
    write_csv(answers.assign(PredictionString="dummy text"), public / "sample_submission.csv")
    write_csv(answers, private / "test.csv")
