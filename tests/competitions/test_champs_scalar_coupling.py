"""v2 gives the structures of the test molecules, which v1 lacks, and nothing else about them."""

from __future__ import annotations

import pytest

from mlebench.preparation import read_csv

TABLES = ["structures", "dipole_moments", "magnetic_shielding_tensors", "mulliken_charges", "potential_energy"]


@pytest.mark.parametrize(("version", "known"), [("v1", set()), ("v2", {"structures"})])
def test_v2_gives_the_structures_of_the_test_molecules(version, known, prepared):
    public = prepared(f"champs-scalar-coupling@{version}").public_dir
    train, test = (set(read_csv(public / f"{part}.csv")["molecule_name"]) for part in ("train", "test"))
    for table in [*TABLES, "scalar_coupling_contributions"]:
        assert set(read_csv(public / f"{table}.csv")["molecule_name"]) == train | (test if table in known else set())
    files = {path.stem for path in (public / "structures").iterdir()}
    assert files == train | (test if known else set())
