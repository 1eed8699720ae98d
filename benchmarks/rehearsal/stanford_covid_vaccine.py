"""Random molecules with a hairpin, in families of similar ones; unpaired bases, A and G react and degrade more."""

from __future__ import annotations

import io
import json
from typing import Any

import numpy as np
import pandas as pd

from benchmarks.rehearsal.making import csv_bytes, hexadecimal_ids
from mlebench.competitions.stanford_covid_vaccine.task import ID, TARGETS

TRAIN, TEST, LENGTH, SCORED, VARIANTS = 80, 3, 24, 16, 3
KNOWN = ["index", "id", "sequence", "structure", "predicted_loop_type", "seq_length", "seq_scored"]
WEIGHTS = {"reactivity": 0.5, "deg_Mg_pH10": 0.6, "deg_pH10": 0.8, "deg_Mg_50C": 0.7, "deg_50C": 0.9}


def make(rng: np.random.Generator) -> dict[str, bytes]:
    ids = [f"id_{text}" for text in hexadecimal_ids(rng, TRAIN + TEST, 9)]
    families = [family for start in range(0, len(ids), VARIANTS) for family in [make_family(rng)] * VARIANTS]
    molecules = [make_molecule(rng, id, family) for id, family in zip(ids, families, strict=False)]
    molecules = [*(molecules[place] for place in rng.permutation(TRAIN)), *molecules[TRAIN:]]
    train = [{"index": place, **molecule} for place, molecule in enumerate(molecules[:TRAIN])]
    test = [{"index": place, **molecule} for place, molecule in enumerate(molecules[TRAIN:])]
    bases = [f"{molecule['id']}_{place}" for molecule in test for place in range(LENGTH)]
    return {
        "train.json": json_lines(train),
        "test.json": json_lines([{name: molecule[name] for name in KNOWN} for molecule in test]),
        "sample_submission.csv": csv_bytes(pd.DataFrame({ID: bases, **dict.fromkeys(TARGETS, 0.0)})),
        **{f"bpps/{molecule['id']}.npy": pair_probabilities(molecule["structure"]) for molecule in molecules},
    }


def json_lines(rows: list[dict[str, Any]]) -> bytes:
    return b"".join(json.dumps(row).encode() + b"\n" for row in rows)


def pair_probabilities(structure: str) -> bytes:
    """Return an npy file with 0.9 for each pair of bases."""
    probabilities, opened = np.zeros((len(structure), len(structure))), []
    for place, symbol in enumerate(structure):
        if symbol == "(":
            opened.append(place)
        elif symbol == ")":
            first = opened.pop()
            probabilities[first, place] = probabilities[place, first] = 0.9
    buffer = io.BytesIO()
    np.save(buffer, probabilities)
    return buffer.getvalue()


def make_family(rng: np.random.Generator) -> dict[str, Any]:
    """Return what similar molecules share: most bases, the places of the hairpin, and the noise."""
    return {
        "sequence": "".join(rng.choice(list("AGUC"), LENGTH)),
        "parts": (int(rng.integers(0, 6)), int(rng.integers(3, 6)), int(rng.integers(3, 6))),
        "noise": float(rng.choice([0.1, 0.5], p=[0.7, 0.3])),
    }


def make_molecule(rng: np.random.Generator, id: str, family: dict[str, Any]) -> dict[str, Any]:
    place = int(rng.integers(0, LENGTH))
    sequence = family["sequence"][:place] + str(rng.choice(list("AGUC"))) + family["sequence"][place + 1 :]
    start, stem, loop = family["parts"]
    end = LENGTH - start - 2 * stem - loop
    noise = family["noise"]
    free = np.array([symbol == "." for symbol in "." * start + "(" * stem + "." * loop + ")" * stem + "." * end])
    rich = np.array([base in "AG" for base in sequence])
    level = (0.2 + 0.8 * free * (0.5 + rich))[:SCORED]
    values = {name: weight * level + noise * rng.normal(size=SCORED) for name, weight in WEIGHTS.items()}
    errors = {name: noise * rng.uniform(0.8, 1.2, SCORED) for name in TARGETS}
    error_names = {name: "reactivity_error" if name == "reactivity" else f"deg_error_{name[4:]}" for name in TARGETS}
    return {
        "id": id,
        "sequence": sequence,
        "structure": "." * start + "(" * stem + "." * loop + ")" * stem + "." * end,
        "predicted_loop_type": "E" * start + "S" * stem + "H" * loop + "S" * stem + "E" * end,
        "signal_to_noise": round(1 / noise + float(rng.normal(0, 0.2)), 3),
        "SN_filter": 1.0 if noise < 0.3 else 0.0,
        "seq_length": LENGTH,
        "seq_scored": SCORED,
        **{error_names[name]: [round(float(value), 4) for value in errors[name]] for name in TARGETS},
        **{name: [round(float(value), 4) for value in values[name]] for name in TARGETS},
    }
