"""Chains of carbon and nitrogen with hydrogens; the constant depends on the type and on the distance."""

from __future__ import annotations

import numpy as np
import pandas as pd

from benchmarks.rehearsal.making import csv_bytes

TRAIN, TEST = 60, 4
LEVELS = {"1JHC": 95, "1JHN": 47, "2JHC": -1, "2JHH": -10, "2JHN": 3, "3JHC": 4, "3JHH": 5, "3JHN": 1}
TENSOR = ["XX", "YX", "ZX", "XY", "YY", "ZY", "XZ", "YZ", "ZZ"]
PAIRS = ["molecule_name", "atom_index_0", "atom_index_1", "type"]


def make(rng: np.random.Generator) -> dict[str, bytes]:
    numbers = sorted(rng.choice(np.arange(1, 133_886), TRAIN + TEST, replace=False))
    names = [f"dsgdb9nsd_{number:06}" for number in numbers]
    molecules = {name: make_molecule(rng, name) for name in names}
    known = sorted(rng.choice(names, TRAIN, replace=False))
    pairs = pd.concat([make_pairs(rng, molecules[name]) for name in names], ignore_index=True)
    is_known = pairs["molecule_name"].isin(known)
    parts = ["fc", "sd", "pso", "dso"]
    table = pairs.drop(columns=parts)
    train = table[is_known].reset_index(drop=True)
    test = table[~is_known].drop(columns="scalar_coupling_constant").reset_index(drop=True)
    train.insert(0, "id", train.index)
    test.insert(0, "id", test.index + len(train))
    atoms = pd.concat(molecules.values(), ignore_index=True)
    places = atoms.loc[atoms["molecule_name"].isin(known), ["molecule_name", "atom_index"]]
    shielding = pd.DataFrame(np.round(rng.normal(100, 30, (len(places), 9)), 1), places.index, TENSOR)
    charges = places.assign(mulliken_charge=np.round(rng.normal(0, 0.2, len(places)), 4))
    dipoles = pd.DataFrame(np.round(rng.normal(0, 1, (TRAIN, 3)), 4), columns=["X", "Y", "Z"])
    dipoles.insert(0, "molecule_name", known)
    energies = pd.DataFrame({"molecule_name": known, "potential_energy": np.round(rng.normal(-300, 60, TRAIN), 4)})
    return {
        "train.csv": csv_bytes(train),
        "test.csv": csv_bytes(test),
        "sample_submission.csv": csv_bytes(test[["id"]].assign(scalar_coupling_constant=0)),
        "structures.csv": csv_bytes(atoms),
        "dipole_moments.csv": csv_bytes(dipoles),
        "magnetic_shielding_tensors.csv": csv_bytes(pd.concat([places, shielding], axis=1)),
        "mulliken_charges.csv": csv_bytes(charges),
        "potential_energy.csv": csv_bytes(energies),
        "scalar_coupling_contributions.csv": csv_bytes(pairs.loc[is_known, [*PAIRS, *parts]]),
        **{f"structures/{name}.xyz": xyz_bytes(atoms) for name, atoms in molecules.items()},
    }


def make_molecule(rng: np.random.Generator, name: str) -> pd.DataFrame:
    """Return two neighbouring heavy atoms with one or two hydrogens each."""
    heavy = [str(rng.choice(["C", "N"], p=[0.7, 0.3])) for _ in range(2)]
    centre = np.array([[0.0, 0, 0], [1.5, 0, 0]])
    hosts = [host for host in (0, 1) for _ in range(int(rng.integers(1, 3)))]
    directions = rng.normal(size=(len(hosts), 3))
    hydrogens = centre[hosts] + 1.1 * directions / np.linalg.norm(directions, axis=1, keepdims=True)
    places = np.round(np.concatenate([centre, hydrogens]) + rng.normal(0, 0.02, (2 + len(hosts), 3)), 4)
    atoms = pd.DataFrame(places, columns=["x", "y", "z"])
    atoms.insert(0, "atom", heavy + ["H"] * len(hosts))
    atoms.insert(0, "atom_index", range(len(atoms)))
    atoms.insert(0, "molecule_name", name)
    return atoms


def make_pairs(rng: np.random.Generator, atoms: pd.DataFrame) -> pd.DataFrame:
    elements, places = atoms["atom"].tolist(), atoms[["x", "y", "z"]].to_numpy()
    host = [int(np.linalg.norm(places[1] - place) < np.linalg.norm(places[0] - place)) for place in places]
    rows = []
    for first in range(2, len(elements)):
        for second in range(len(elements)):
            if second == first or (second > first and elements[second] == "H"):
                continue
            bonds = 1 + (host[first] != host[second]) + (elements[second] == "H")
            kind = f"{bonds}JH{elements[second]}"
            distance = float(np.linalg.norm(places[first] - places[second]))
            total = round(LEVELS[kind] * (0.7 + 0.2 * distance) + float(rng.normal(0, 0.5)), 4)
            parts = np.round(rng.normal(0, 0.2, 3), 4)
            rows.append([atoms["molecule_name"].iloc[0], first, second, kind, total, total - parts.sum(), *parts])
    table = pd.DataFrame(rows, columns=[*PAIRS, "scalar_coupling_constant", "fc", "sd", "pso", "dso"])
    return table.round({"fc": 4})


def xyz_bytes(atoms: pd.DataFrame) -> bytes:
    lines = [f"{row.atom} {row.x:.4f} {row.y:.4f} {row.z:.4f}" for row in atoms.itertuples()]
    return "\n".join([str(len(atoms)), "", *lines, ""]).encode()
