"""Comments that are meant to insult somebody who takes part in the conversation."""

from pathlib import Path

import pandas as pd

from mlebench.preparation import number_shuffled, place_files, read_csv, text_keys, without_copies, write_csv

COLUMNS = ["Insult", "Date", "Comment"]


def prepare(raw: Path, public: Path, private: Path) -> None:
    place_files(["train.csv"], raw, public)
    place_files({"test_with_solutions.csv": "test.csv"}, raw, private)
    test = read_csv(raw / "test_with_solutions.csv")[COLUMNS]
    write_csv(test.drop(columns="Insult"), public / "test.csv")
    write_csv(test.assign(Insult=0), public / "sample_submission_null.csv")
    write_csv(test, private / "gold_submission.csv")


def prepare_v2(raw: Path, public: Path, private: Path) -> None:
    """Test on the comments of the verification stage, before which the labels of the first test set were given out."""
    earlier = [read_csv(raw / name)[COLUMNS] for name in ("train.csv", "test_with_solutions.csv")]
    test = number_shuffled(read_csv(raw / "impermium_verification_labels.csv")[COLUMNS])
    train = without_copies(pd.concat(earlier), test, lambda rows: text_keys(rows["Comment"]))
    write_csv(train, public / "train.csv")
    write_csv(test[["id", "Date", "Comment"]], public / "test.csv")
    write_csv(test[["id"]].assign(Insult=0), public / "sample_submission_null.csv")
    write_csv(test[["id", "Insult"]], private / "test.csv")
