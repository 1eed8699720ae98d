"""The only difference between v1 and the reference: archives of photos hold the photos."""

from __future__ import annotations

import py7zr

from mlebench.preparation import read_csv, read_member


def test_archives_hold_the_photos_of_their_part(prepared):
    competition = prepared("invasive-species-monitoring")
    labels = read_csv(read_member(competition.public_dir / "train_labels.csv.zip", "train_labels.csv"))
    answers = read_csv(competition.answers)
    for part, frame in (("train", labels), ("test", answers)):
        with py7zr.SevenZipFile(competition.public_dir / f"{part}.7z") as archive:
            assert sorted(archive.getnames()) == sorted(f"{part}/{name}.jpg" for name in frame["name"])
            assert not archive.testzip()
