"""Aerial thumbnails: does one show a columnar cactus."""

from pathlib import Path

from mlebench.preparation import member_keys, read_csv, repack, write_csv
from mlebench.tasks.split import Split


def prepare(raw: Path, public: Path, private: Path, split: Split) -> None:
    train, test = split(
        read_csv(raw / "train.csv"),
        content=lambda images: member_keys(raw / "train.zip", "train/" + images["id"], at_once=True),
    )
    write_csv(train, public / "train.csv")
    write_csv(test.assign(has_cactus=0.5), public / "sample_submission.csv")
    write_csv(test, private / "test.csv")

    for part, frame in (("train", train), ("test", test)):
        place = {f"train/{name}": name for name in frame["id"]}
        repack(raw / "train.zip", public / f"{part}.zip", want=place.get, expect=len(place))
