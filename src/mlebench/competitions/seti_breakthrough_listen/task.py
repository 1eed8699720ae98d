"""Artificial signals in spectrograms of a radio telescope."""

from pathlib import Path

from mlebench.preparation import place_by_folder, place_tree, read_csv, train_test_split, write_csv


def prepare(raw: Path, public: Path, private: Path) -> None:
    train, test = train_test_split(read_csv(raw / "train_labels.csv"), test_size=0.1)
    write_csv(train, public / "train_labels.csv")
    write_csv(test.assign(target=0.5), public / "sample_submission.csv")
    write_csv(test, private / "test.csv")
    for part, rows in (("train", train), ("test", test)):
        place_by_folder(rows["id"] + ".npy", rows["id"].str[0], raw / "train", public / part)
    place_tree(raw / "old_leaky_data", public / "old_leaky_data")
