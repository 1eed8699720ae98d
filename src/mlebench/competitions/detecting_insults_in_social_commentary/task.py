"""Comments that are meant to insult somebody who takes part in the conversation."""

from pathlib import Path

from mlebench.preparation import place_files, read_csv, write_csv


def prepare(raw: Path, public: Path, private: Path) -> None:
    place_files(["train.csv"], raw, public)
    place_files({"test_with_solutions.csv": "test.csv"}, raw, private)
    test = read_csv(raw / "test_with_solutions.csv")[["Insult", "Date", "Comment"]]
    write_csv(test.drop(columns="Insult"), public / "test.csv")
    write_csv(test.assign(Insult=0), public / "sample_submission_null.csv")
    write_csv(test, private / "gold_submission.csv")
