"""Tags of questions that were asked on many sites."""

from pathlib import Path

from mlebench.preparation import read_csv, train_test_split, write_csv

MOST_FREQUENT = "javascript c# python php java"


def prepare(raw: Path, public: Path, private: Path) -> None:
    questions = read_csv(raw / "Train.zip", dtype={"Id": str, "Tags": str})  # read from within the zip
    train, test = train_test_split(questions, test_size=0.1)
    write_csv(train, public / "train.csv")
    write_csv(test.drop(columns="Tags"), public / "test.csv")
    write_csv(test.assign(Tags=MOST_FREQUENT), public / "sample_submission.csv")
    write_csv(test, private / "test.csv")
