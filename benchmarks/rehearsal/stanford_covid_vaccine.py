"""Random molecules with a hairpin; unpaired bases, A and G react and degrade more."""

from __future__ import annotations

import io
import json
from typing import Any

import numpy as np
import pandas as pd

from benchmarks.rehearsal.making import csv_bytes, hexadecimal_ids
from mlebench.competitions.stanford_covid_vaccine.task import ID, TARGETS

TRAIN, TEST, LENGTH, SCORED = 80, 3, 24, 16
KNOWN = ["index", "id", "sequence", "structure", "predicted_loop_type", "seq_length", "seq_scored"]
WEIGHTS = {"reactivity": 0.5, "deg_Mg_pH10": 0.6, "deg_pH10": 0.8, "deg_Mg_50C": 0.7, "deg_50C": 0.9}


def make(rng: np.random.Generator) -> dict[str, bytes]:
    ids = [f"id_{text}" for text in hexadecimal_ids(rng, TRAIN + TEST, 9)]
    molecules = [make_molecule(rng, id) for id in ids]
    train = [{"index": place, **molecule} for place, molecule in enumerate(molecules[:TRAIN])]
    test = [{"index": place, **molecule} for place, molecule in enumerate(molecules[TRAIN:])]
    bases = [f"{molecule['id']}_{place}" for molecule in test for place in range(LENGTH)]
    pairs = io.BytesIO()
    np.save(pairs, np.zeros((2, 2)))
    return {
        "train.json": json_lines(train),
        "test.json": json_lines([{name: molecule[name] for name in KNOWN} for molecule in test]),
        "sample_submission.csv": csv_bytes(pd.DataFrame({ID: bases, **dict.fromkeys(TARGETS, 0.0)})),
        **{f"bpps/{id}.npy": pairs.getvalue() for id in ids[:3]},
    }


def json_lines(rows: list[dict[str, Any]]) -> bytes:
    return b"".join(json.dumps(row).encode() + b"\n" for row in rows)


def make_molecule(rng: np.random.Generator, id: str) -> dict[str, Any]:
    sequence = "".join(rng.choice(list("AGUC"), LENGTH))
    start, stem, loop = int(rng.integers(0, 6)), int(rng.integers(3, 6)), int(rng.integers(3, 6))
    end = LENGTH - start - 2 * stem - loop
    noise = float(rng.choice([0.1, 0.5], p=[0.7, 0.3]))
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
