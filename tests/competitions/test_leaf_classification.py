"""v2 tests leaves of every species, while chance decides in v1."""

from __future__ import annotations

import math

import pytest

from mlebench.ground.tables import read_csv


@pytest.mark.parametrize(("version", "is_held"), [("v1", False), ("v2", True)])
def test_a_fifth_of_each_species_is_tested(version, is_held, prepared):
    competition = prepared(f"leaf-classification@{version}")
    tested = read_csv(competition.answers).drop(columns="id").sum()
    known = read_csv(competition.public_dir / "train.csv")["species"].value_counts().reindex(tested.index)
    assert (tested == (0.2 * (tested + known)).map(math.ceil)).all() == is_held
