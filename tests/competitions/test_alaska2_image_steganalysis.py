"""v2 draws all four versions of a test image with equal chances; v1 draws covers with a chance of one half."""

from __future__ import annotations

import collections
import zipfile

import pandas as pd
import pytest

from mlebench.ground.loading import load_module
from mlebench.tasks.registry import Registry

TASK = Registry().get_competition("alaska2-image-steganalysis").folder / "task.py"
COVERS = [f"{number:05}.jpg" for number in range(4000)]


@pytest.mark.parametrize(("name", "share"), [("draw", 1 / 2), ("draw_equally", 1 / 4)])
def test_the_share_of_covers(name, share):
    drawn = getattr(load_module(TASK), name)(list(COVERS))
    assert sorted(cover for cover, _ in drawn) == COVERS
    assert [cover for cover, _ in drawn] != COVERS
    counts = collections.Counter(folder for _, folder in drawn)
    assert counts.keys() == {"Cover", "JMiPOD", "JUNIWARD", "UERD"}
    assert counts["Cover"] / len(COVERS) == pytest.approx(share, abs=0.03)


def test_v2_takes_test_images_from_the_folder_that_was_drawn(prepared):
    competition = prepared("alaska2-image-steganalysis@v2")
    answers = pd.read_csv(competition.answers).set_index("Id")["Label"]
    with zipfile.ZipFile(competition.folder / "rehearsal.zip") as raw:
        covers = {raw.read(name) for name in raw.namelist() if name.startswith("Cover/")}
    for id, label in answers.items():
        content = (competition.public_dir / "Test" / id).read_bytes()
        assert (content in covers) == (label == 0)
    assert answers.nunique() == 2
