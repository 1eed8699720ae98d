"""Molecules of random atoms, and random pairs of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from benchmarks.heaviest.facts import HEAVIEST
from benchmarks.heaviest.making import joined, padded, write_table
from mlebench.preparation import read_rows

if TYPE_CHECKING:
    from pathlib import Path

MOLECULES, KNOWN, LARGEST = 130_775, 85_003, 133_885
ATOMS_OF_ONE = 9, 28
TYPES = ["1JHC", "1JHN", "2JHC", "2JHH", "2JHN", "3JHC", "3JHH", "3JHN"]
TENSOR = ["XX", "YX", "ZX", "XY", "YY", "ZY", "XZ", "YZ", "ZZ"]
PARTS = ["fc", "sd", "pso", "dso"]


def make(raw: Path, scale: float) -> int:
    rng, rows = np.random.default_rng(0), int(HEAVIEST["champs-scalar-coupling"].rows * scale)
    molecules, known = int(MOLECULES * scale), int(KNOWN * scale)
    names = joined("dsgdb9nsd_", padded(1 + np.sort(rng.choice(LARGEST, molecules, replace=False)), 6))
    is_known = np.sort(rng.choice(molecules, known, replace=False))
    pair = np.sort(rng.choice(is_known, rows))
    first, second = rng.integers(0, 29, (2, rows))
    pairs = {
        "molecule_name": names.take(pa.array(pair)),
        "atom_index_0": first,
        "atom_index_1": second,
        "type": pa.array(TYPES).take(pa.array(rng.integers(0, len(TYPES), rows))),
    }
    constant = np.round(rng.normal(16, 35, rows), 4) + 0.0  # not -0.0
    write_table(raw / "train.csv", {"id": np.arange(rows), **pairs, "scalar_coupling_constant": constant})
    parts = {name: digits(rng, rows, 6) for name in PARTS}
    write_table(raw / "scalar_coupling_contributions.csv", {**pairs, **parts})
    del pairs, parts

    counts = rng.integers(*ATOMS_OF_ONE, molecules)
    molecule = np.repeat(np.arange(molecules), counts)
    index = np.arange(len(molecule)) - np.repeat(np.cumsum(counts) - counts, counts)
    elements = pa.array(list("CHNOF")).take(pa.array(rng.integers(0, 5, len(molecule))))
    atoms = {"molecule_name": names.take(pa.array(molecule)), "atom_index": index, "atom": elements}
    write_table(raw / "structures.csv", atoms | {name: digits(rng, len(molecule), 10) for name in "xyz"})
    inside = np.isin(molecule, is_known)
    places = {"molecule_name": names.take(pa.array(molecule[inside])), "atom_index": index[inside]}
    size = len(places["atom_index"])
    write_table(raw / "magnetic_shielding_tensors.csv", places | {name: digits(rng, size, 4) for name in TENSOR})
    write_table(raw / "mulliken_charges.csv", places | {"mulliken_charge": digits(rng, size, 6)})
    own = {"molecule_name": names.take(pa.array(is_known))}
    write_table(raw / "dipole_moments.csv", own | {name: digits(rng, known, 4) for name in "XYZ"})
    write_table(raw / "potential_energy.csv", own | {"potential_energy": digits(rng, known, 5)})
    (raw / "structures").mkdir()
    for name in names.to_pylist():
        (raw / "structures" / f"{name}.xyz").touch()
    return rows


def digits(rng: np.random.Generator, rows: int, places: int) -> np.ndarray:
    return np.round(rng.normal(0, 2, rows), places) + 0.0  # not -0.0


def read(raw: Path) -> None:
    for path in sorted(raw.glob("*.csv")):
        read_rows(path)
