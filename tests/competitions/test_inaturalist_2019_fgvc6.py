"""What v2 of inaturalist-2019-fgvc6 repairs."""

from __future__ import annotations

import tarfile

import pytest

from mlebench.battery.prepared import PreparedTask
from mlebench.grading.reports import Outcome
from mlebench.preparation import read_json

ID = "inaturalist-2019-fgvc6"


def described(competition, part):
    return {image["file_name"] for image in read_json(competition.public_dir / f"{part}2019.json")["images"]}


def test_v2_has_every_described_photo_under_its_name(prepared):
    v1, v2 = prepared(ID), prepared(f"{ID}@v2")
    shown = {*described(v2, "train"), *described(v2, "val")}
    with tarfile.open(v2.public_dir / "train_val2019.tar") as archive:
        assert set(archive.getnames()) == shown
    with tarfile.open(v2.public_dir / "test2019.tar") as archive:
        assert set(archive.getnames()) == described(v2, "test")
    with tarfile.open(v1.public_dir / "train_val2019.tar.gz") as archive:
        assert not described(v1, "val") & {f"train_val2019/{name}" for name in archive.getnames()}


def test_v2_tells_no_more_of_a_test_photo_than_its_size(prepared):
    for label, told in ((ID, {"license", "rights_holder"}), (f"{ID}@v2", set())):
        images = read_json(prepared(label).public_dir / "test2019.json")["images"]
        assert {key for image in images for key in image} == {"id", "file_name", "width", "height", *told}
    ids = [image["id"] for image in images]
    assert ids == list(range(len(ids)))


@pytest.mark.parametrize(("label", "outcome"), [(ID, Outcome.INVALID), (f"{ID}@v2", Outcome.GRADED)])
def test_v2_takes_whole_numbers_written_as_floats(label, outcome, prepared, tmp_path):
    task = PreparedTask(prepared(label), tmp_path / "submission.csv")
    right = task.submit(task.gold)[0].score
    verdict, _ = task.submit(task.gold.assign(predicted=task.gold["predicted"].astype(float)))
    assert verdict.outcome is outcome
    assert verdict.score in (None, right)
    assert right == 0
