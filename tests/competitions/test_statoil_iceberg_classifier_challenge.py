"""Objects without an incidence angle are on both sides in v1, and in train only in v2, as on Kaggle."""

from __future__ import annotations

import json

import pytest

from ..exploits.lookup import read_7z


@pytest.mark.parametrize(("version", "parts"), [("v1", {"train", "test"}), ("v2", {"train"})])
def test_unknown_angles_are_in(version, parts, prepared):
    public = prepared(f"statoil-iceberg-classifier-challenge@{version}").public_dir
    assert {part for part in ("train", "test") if "na" in angles(public / f"{part}.json.7z")} == parts


def angles(archive):
    (content,) = read_7z(archive).values()
    return {patch["inc_angle"] for patch in json.loads(content)}
