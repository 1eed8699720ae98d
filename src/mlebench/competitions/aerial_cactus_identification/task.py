"""Aerial thumbnails: does one show a columnar cactus."""

from pathlib import Path

from mlebench.preparation import read_csv, repack, train_test_split, write_csv


def prepare(raw: Path, public: Path, private: Path) -> None:
    train, test = train_test_split(read_csv(raw / "train.csv"), test_size=0.19)
    write_csv(train, public / "train.csv")
    write_csv(test.assign(has_cactus=0.5), public / "sample_submission.csv")
    write_csv(test, private / "test.csv")

    for part, frame in (("train", train), ("test", test)):
        place = {f"train/{name}": name for name in frame["id"]}
        repack(raw / "train.zip", public / f"{part}.zip", want=place.get, expect=len(place))
