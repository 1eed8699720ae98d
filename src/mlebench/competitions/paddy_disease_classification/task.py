"""Diseases of rice plants from photos of their leaves."""

from pathlib import Path

from mlebench.preparation import place_files, read_csv, train_test_split, write_csv


def prepare(raw: Path, public: Path, private: Path) -> None:
    train, test = train_test_split(read_csv(raw / "train.csv"), test_size=0.25)
    write_csv(train, public / "train.csv")
    write_csv(test[["image_id"]].assign(label=""), public / "sample_submission.csv")
    write_csv(test, private / "test.csv")
    for label, photos in train.groupby("label"):
        place_files(photos["image_id"], raw / f"train_images/{label}", public / f"train_images/{label}")
    for label, photos in test.groupby("label"):
        place_files(photos["image_id"], raw / f"train_images/{label}", public / "test_images")
