"""The fare of a taxi ride from time, places and passengers."""

from pathlib import Path

from mlebench.preparation import fixed_count, place_files, read_rows, split_positions, write_csv


def prepare(raw: Path, public: Path, private: Path) -> None:
    rides = read_rows(raw / "train.csv")
    train, test = map(rides.take, split_positions(len(rides), fixed_count(raw, "test_size", 9914)))
    train.write(public / "labels.csv")  # the training data, under this name in v1
    test.write(public / "test.csv", drop=["fare_amount"])
    test.write(private / "test.csv")
    write_csv(test.frame(["key"]).assign(fare_amount=11.35), public / "sample_submission.csv")
    place_files(["GCP-Coupons-Instructions.rtf"], raw, public)
