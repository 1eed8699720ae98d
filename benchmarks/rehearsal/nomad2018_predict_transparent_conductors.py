"""Crystals of mixed oxides: indium lowers the bandgap, and mixtures cost energy."""

from __future__ import annotations

import numpy as np
import pandas as pd

from benchmarks.rehearsal.making import csv_bytes, zip_bytes

TRAIN, TEST = 150, 10
GROUPS = {12: 1.0, 33: 0.2, 167: 0.0, 194: 0.8, 206: 0.1, 227: 0.9}
"""Space groups and their instability."""
METALS = ["Al", "Ga", "In"]
RADII = np.array([0.54, 0.62, 0.80])
ENERGIES = ["formation_energy_ev_natom", "bandgap_energy_ev"]


def make(rng: np.random.Generator) -> dict[str, bytes]:
    crystals = make_crystals(rng, TRAIN + TEST)
    train, test = crystals.iloc[:TRAIN], crystals.iloc[TRAIN:].drop(columns=ENERGIES).assign(id=range(1, TEST + 1))
    sample = test[["id"]].assign(**dict(zip(ENERGIES, (0.1779, 1.8892), strict=True)))
    archives = {
        f"{part}.zip": zip_bytes({f"{part}/{row.id}/geometry.xyz": geometry(rng, row) for row in rows.itertuples()})
        for part, rows in (("train", train), ("test", test))
    }
    tables = {"train": train, "test": test, "sample_submission": sample}
    archives |= {f"{name}.csv.zip": zip_bytes({f"{name}.csv": csv_bytes(table)}) for name, table in tables.items()}
    return archives


def make_crystals(rng: np.random.Generator, rows: int) -> pd.DataFrame:
    group = rng.choice(list(GROUPS), rows)
    atoms = rng.choice([10, 20, 30, 40], rows)
    metals = atoms * 2 // 5
    first = np.floor(rng.random(rows) * (metals + 1)).astype(int)
    second = np.floor(rng.random(rows) * (metals - first + 1)).astype(int)
    shares = np.column_stack([first, second, metals - first - second]) / metals[:, np.newaxis]
    size = 4 + 3 * shares @ RADII
    lengths = size[:, np.newaxis] * np.array([1, 1, 2]) * rng.uniform(0.9, 1.1, (rows, 3))
    angles = np.where((group == 12) | (group == 194), 120.0, 90.0) + rng.normal(0, 0.02, rows)
    mixing = -(shares * np.log(np.maximum(shares, 1e-9))).sum(axis=1)
    instability = np.array([GROUPS[number] for number in group])
    formation = np.clip(0.05 + 0.12 * mixing + 0.12 * instability + rng.normal(0, 0.02, rows), 0, None)
    bandgap = np.clip(shares @ [5.2, 3.6, 1.2] - 0.4 * instability + rng.normal(0, 0.15, rows), 0.05, None)
    return pd.DataFrame(
        {
            "id": np.arange(1, rows + 1),
            "spacegroup": group,
            "number_of_total_atoms": atoms.astype(float),
            **{f"percent_atom_{name.lower()}": shares[:, place].round(4) for place, name in enumerate(METALS)},
            **{f"lattice_vector_{place + 1}_ang": lengths[:, place].round(4) for place in range(3)},
            "lattice_angle_alpha_degree": 90.0,
            "lattice_angle_beta_degree": 90.0,
            "lattice_angle_gamma_degree": angles.round(4),
            "formation_energy_ev_natom": formation.round(4),
            "bandgap_energy_ev": bandgap.round(4),
        }
    )


def geometry(rng: np.random.Generator, crystal: tuple) -> bytes:
    """Return the cell's vectors and up to ten of its atoms, which keeps the file small."""
    shares = [crystal.percent_atom_al, crystal.percent_atom_ga, crystal.percent_atom_in]
    elements = [*rng.choice(METALS, 4, p=np.array(shares) / sum(shares)), *["O"] * 6]
    lengths = np.array([crystal.lattice_vector_1_ang, crystal.lattice_vector_2_ang, crystal.lattice_vector_3_ang])
    gamma = np.radians(crystal.lattice_angle_gamma_degree)
    cell = np.diag(lengths)
    cell[1] = lengths[1] * np.array([np.cos(gamma), np.sin(gamma), 0])
    lines = ["#", "# made-up crystal", "#"]
    lines += ["lattice_vector {:.2f} {:.2f} {:.2f}".format(*row) for row in cell]
    places = rng.random((len(elements), 3)) @ cell
    lines += ["atom {:.1f} {:.1f} {:.1f} ".format(*row) + name for row, name in zip(places, elements, strict=True)]
    return ("\n".join(lines) + "\n").encode()
