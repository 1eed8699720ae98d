"""What v2 of iwildcam-2020-fgvc7 repairs."""

from __future__ import annotations

from collections import Counter

import pandas as pd
import pytest

from mlebench.competitions.iwildcam_2020_fgvc7.task import choose_locations
from mlebench.preparation import read_csv, read_json
from mlebench.tasks.registry import Registry

ALL = Registry()
ID = "iwildcam-2020-fgvc7"


@pytest.fixture
def parts(prepared):
    """Read the parts of both versions: train, test and the detector's results."""

    def read(label):
        names = ("train_annotations", "test_information", "megadetector_results")
        return [read_json(prepared(label).public_dir / f"iwildcam2020_{name}.json") for name in names]

    return read(ID), read(f"{ID}@v2")


def ids(part):
    return {image["id"] for image in part["images"]}


def test_v2_tests_the_share_that_it_says():
    photos = pd.DataFrame({"location": range(1000)})
    split = ALL.get_competition(f"{ID}@v2").declaration.split
    assert len(split(photos, group="location")[1]) == 220
    assert len(choose_locations(photos["location"])) == 282


def test_cameras_are_in_one_part_only(parts):
    for train, test, _ in parts:
        assert not {image["location"] for image in train["images"]} & {image["location"] for image in test["images"]}


def test_v2_asks_once_for_each_photo(prepared, parts):
    for label, (_, test, _), is_unique in zip((ID, f"{ID}@v2"), parts, (False, True), strict=True):
        sample = read_csv(prepared(label).public_dir / "sample_submission.csv")
        assert set(sample["Id"]) == ids(test)
        assert sample["Id"].is_unique == is_unique


def test_v2_names_test_photos_and_their_bursts_anew(parts):
    (_, old, _), (train, test, _) = parts
    known = {value for part in (old, train) for image in part["images"] for value in (image["id"], image["seq_id"])}
    for image in test["images"]:
        assert image["file_name"] == f"{image['id']}.jpg"
        assert not {image["id"], image["seq_id"]} & known


def test_v2_has_detections_of_the_photos_that_are_handed_out_only(parts):
    for (train, test, detector), expected in zip(parts, (False, True), strict=True):
        handed_out = ids(train) | ids(test)
        assert (ids(detector) == handed_out) is expected
        assert handed_out <= ids(detector)


def test_the_detections_of_v2_are_those_of_the_same_photo(prepared, parts):
    """A photo of another version with the same bytes has the same detections."""
    pictures = []
    for label, (_, test, detector) in zip((ID, f"{ID}@v2"), parts, strict=True):
        found = {image["id"]: image["detections"] for image in detector["images"]}
        folder = prepared(label).public_dir / "test"
        pictures.append({(folder / f"{id}.jpg").read_bytes(): found[id] for id in sorted(ids(test))})
    shared = pictures[0].keys() & pictures[1].keys()
    assert shared
    assert all(pictures[0][picture] == pictures[1][picture] for picture in shared)


def test_v2_counts_the_categories_in_train(parts):
    for (train, test, _), expected in zip(parts, (False, True), strict=True):
        labels = Counter(annotation["category_id"] for annotation in train["annotations"])
        counts = {category["id"]: category["count"] for category in train["categories"]}
        assert (Counter(counts) == labels) is expected
        assert (test["categories"] == train["categories"]) is expected
