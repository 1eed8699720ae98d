"""What v2 of iwildcam-2019-fgvc6 tells of test photos."""

from __future__ import annotations

import zipfile

import pytest

from mlebench.ground.tables import read_csv

ID = "iwildcam-2019-fgvc6"


def test_v2_names_test_photos_anew(prepared):
    v1, v2 = prepared(ID), prepared(f"{ID}@v2")
    raw, test, train = (
        read_csv(path) for path in (v1.public_dir / "test.csv", v2.public_dir / "test.csv", v2.public_dir / "train.csv")
    )
    assert test["id"].tolist() == list(range(len(test)))
    assert not set(test["seq_id"].astype(str)) & set(raw["seq_id"].astype(str))
    assert not set(test["location"]) & {*raw["location"], *train["location"]}
    assert set(raw.columns) - set(test.columns) == {"rights_holder"}
    with zipfile.ZipFile(v2.public_dir / "test_images.zip") as archive:
        assert set(archive.namelist()) == set(test["file_name"])


def test_v2_keeps_sequences_and_cameras_together(prepared):
    v1, v2 = (read_csv(prepared(label).public_dir / "test.csv") for label in (ID, f"{ID}@v2"))
    once = v1[~v1["id"].duplicated(keep=False)]
    for column in ("seq_id", "location"):
        assert sorted(v2[column].value_counts()) == sorted(once[column].value_counts())


@pytest.mark.parametrize(("label", "columns"), [(ID, 3), (f"{ID}@v2", 2)])
def test_the_sample_of_v2_has_no_numbers_of_raw_rows(label, columns, prepared):
    assert len(read_csv(prepared(label).sample_submission).columns) == columns
