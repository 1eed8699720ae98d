"""v2 tests a fifth of each class, while chance decides in v1."""

from __future__ import annotations

import pytest

from mlebench.competitions.plant_pathology_2020_fgvc7.task import CLASSES
from mlebench.ground.tables import read_csv


@pytest.mark.parametrize(("version", "is_held"), [("v1", False), ("v2", True)])
def test_a_fifth_of_each_class_is_tested(version, is_held, prepared):
    competition = prepared(f"plant-pathology-2020-fgvc7@{version}")
    tested, known = read_csv(competition.answers), read_csv(competition.public_dir / "train.csv")
    counts = tested[CLASSES].sum()
    assert (counts >= 0.2 * (counts + known[CLASSES].sum())).all() == is_held
