"""Test rows of v1 follow the raw table; in v2 their order is random."""

from __future__ import annotations

import io
import zipfile

import pytest

from mlebench.ground.tables import read_csv


@pytest.mark.parametrize(("version", "follows"), [("v1", True), ("v2", False)])
def test_the_order_of_test_rows(version, follows, prepared):
    competition = prepared(f"histopathologic-cancer-detection@{version}")
    with zipfile.ZipFile(competition.folder / "rehearsal.zip") as archive:
        labelled = read_csv(io.BytesIO(archive.read("train_labels.csv")))["id"]
    tested = read_csv(competition.sample_submission)["id"]
    places = tested.map({id: place for place, id in labelled.items()})
    assert places.is_monotonic_increasing == follows
