"""Molecules with descriptors that depend on their size; two of the enzyme classes depend on them."""

from __future__ import annotations

import numpy as np
import pandas as pd

from benchmarks.rehearsal.making import csv_bytes

TRAIN, TEST = 300, 20
DESCRIPTORS = """
BertzCT Chi1 Chi1n Chi1v Chi2n Chi2v Chi3v Chi4n EState_VSA1 EState_VSA2 ExactMolWt FpDensityMorgan1
FpDensityMorgan2 FpDensityMorgan3 HallKierAlpha HeavyAtomMolWt Kappa3 MaxAbsEStateIndex MinEStateIndex
NumHeteroatoms PEOE_VSA10 PEOE_VSA14 PEOE_VSA6 PEOE_VSA7 PEOE_VSA8 SMR_VSA10 SMR_VSA5 SlogP_VSA3 VSA_EState9
fr_COO fr_COO2
""".split()
COUNTS = {"NumHeteroatoms": 8, "fr_COO": 0.5, "fr_COO2": 0.5}
"""Descriptors that are integers, and their means."""
LABELS = ["EC1", "EC2", "EC3", "EC4", "EC5", "EC6"]


def make(rng: np.random.Generator) -> dict[str, bytes]:
    molecules = make_molecules(rng, TRAIN + TEST)
    test = molecules.iloc[TRAIN:].drop(columns=LABELS)
    return {
        "train.csv": csv_bytes(molecules.iloc[:TRAIN]),
        "test.csv": csv_bytes(test),
        "sample_submission.csv": csv_bytes(test[["id"]].assign(EC1=0.5, EC2=0.5)),
    }


def make_molecules(rng: np.random.Generator, rows: int) -> pd.DataFrame:
    size, acids = rng.normal(size=rows), rng.normal(size=rows)
    columns: dict[str, np.ndarray | range] = {"id": range(rows)}
    for name in DESCRIPTORS:
        part = 0.8 * (acids if "COO" in name or "PEOE" in name else size) + 0.6 * rng.normal(size=rows)
        columns[name] = rng.poisson(COUNTS[name] * np.exp(0.6 * part)) if name in COUNTS else np.round(8 + 3 * part, 6)
    logits = {"EC1": 0.7 + 1.2 * size, "EC2": 1.4 + acids, "EC3": -0.8, "EC4": -1.4, "EC5": -1.7, "EC6": -1.7}
    for name, logit in logits.items():
        columns[name] = (rng.random(rows) < 1 / (1 + np.exp(-logit))).astype(int)
    return pd.DataFrame(columns)
