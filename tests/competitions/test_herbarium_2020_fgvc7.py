"""What v2 of the herbarium tasks tells of test photos, and how it spells names."""

from __future__ import annotations

import pytest

from mlebench.preparation import read_json

TASKS = {
    "herbarium-2020-fgvc7": ("nybg2020/test/metadata.json", "test/metadata.json"),
    "herbarium-2021-fgvc8": ("test/metadata.json", "test/metadata.json"),
    "herbarium-2022-fgvc9": ("test_metadata.json", "test_metadata.json"),
}


@pytest.mark.parametrize("competition_id", TASKS)
def test_v2_tells_the_name_of_a_test_photo_only(competition_id, prepared):
    told = []
    for label, place in zip((competition_id, f"{competition_id}@v2"), TASKS[competition_id], strict=True):
        found = read_json(prepared(label).public_dir / place)
        images = found if isinstance(found, list) else found["images"]
        told.append({key for image in images for key in image})
    assert "license" in told[0]
    assert told[1] in ({"id", "file_name"}, {"image_id", "file_name"})


def test_v2_reads_names_in_the_encoding_that_each_has(prepared):
    v1, v2 = prepared("herbarium-2020-fgvc7"), prepared("herbarium-2020-fgvc7@v2")
    garbled = {one["name"] for one in read_json(v1.public_dir / "nybg2020/train/metadata.json")["categories"]}
    names = {one["name"] for one in read_json(v2.public_dir / "train/metadata.json")["categories"]}
    assert any("\u00d7" in name for name in names)
    assert not any("\u00c3" in name for name in names)
    assert any("\u00c3" in name for name in garbled)
    assert not (v2.public_dir / "nybg2020").exists()
