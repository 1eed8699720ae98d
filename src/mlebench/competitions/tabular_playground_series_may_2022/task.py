"""The state of a machine from simulated manufacturing data."""

from pathlib import Path

from mlebench.preparation import fixed_count, read_csv, train_test_split, write_csv


def prepare(raw: Path, public: Path, private: Path) -> None:
    readings = read_csv(raw / "train.csv")
    train, test = train_test_split(readings, test_size=fixed_count(raw, "test_size", 100_000))
    train = train.assign(id=range(len(train)))  # new ids, train before test, so that none tells the original row
    test = test.assign(id=range(len(train), len(readings)))
    write_csv(train, public / "train.csv")
    write_csv(test.drop(columns="target"), public / "test.csv")
    write_csv(test[["id"]].assign(target=0.5), public / "sample_submission.csv")
    write_csv(test, private / "test.csv")
    write_csv(test[["id", "target"]], private / "gold_submission.csv")
