"""Radar patches: icebergs are round and return some cross-polarised signal, ships are long and bright in HH."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from benchmarks.rehearsal.making import csv_bytes, hexadecimal_ids
from mlebench.preparation import pack_7z

TRAIN, TEST, SIDE, TILE = 120, 3, 75, 5
"""Neighbouring pixels of a tile are equal, and values are multiples of 2 dB: both keep the file small."""
SAME_ANGLE = 3
"""Number of objects of one incidence angle, which are of one class, as most of them are in the real data."""


def make(rng: np.random.Generator) -> dict[str, bytes]:
    groups = rng.permutation(np.arange(TRAIN + TEST) // SAME_ANGLE)
    angles, classes = rng.uniform(30, 46, len(groups)).round(4), (rng.random(len(groups)) < 0.47).astype(int)
    ids = hexadecimal_ids(rng, TRAIN + TEST, digits=8)
    patches = [
        make_patch(rng, id, int(classes[group]), float(angles[group])) for id, group in zip(ids, groups, strict=True)
    ]
    test = [{name: value for name, value in patch.items() if name != "is_iceberg"} for patch in patches[TRAIN:]]
    sample = pd.DataFrame({"id": [patch["id"] for patch in test], "is_iceberg": 0.5})
    return {
        "train.json.7z": archive_bytes("train.json", json.dumps(patches[:TRAIN]).encode()),
        "test.json.7z": archive_bytes("test.json", json.dumps(test).encode()),
        "sample_submission.csv.7z": archive_bytes("sample_submission.csv", csv_bytes(sample)),
    }


def make_patch(rng: np.random.Generator, id: str, is_iceberg: int, angle: float) -> dict[str, Any]:
    y, x = np.mgrid[-1 : 1 : SIDE // TILE * 1j, -1 : 1 : SIDE // TILE * 1j]
    turn = rng.uniform(0, np.pi)
    along, across = x * np.cos(turn) + y * np.sin(turn), y * np.cos(turn) - x * np.sin(turn)
    length = rng.uniform(0.2, 0.4) if is_iceberg else rng.uniform(0.35, 0.6)
    width = length * (rng.uniform(0.7, 1) if is_iceberg else rng.uniform(0.2, 0.4))
    thing = np.hypot(along / length, across / width) < 1
    echo = rng.normal([8, 10] if is_iceberg else [14, 8], 2)
    patch: dict[str, Any] = {"id": id}
    for number, sea in enumerate((-22, -28)):
        level = sea + echo[number] * thing + rng.normal(0, 0.8, x.shape)
        coarse = np.round(level / 2) * 2 + 0.25
        patch[f"band_{number + 1}"] = np.kron(coarse, np.ones((TILE, TILE))).ravel().tolist()
    return {**patch, "inc_angle": "na" if rng.random() < 0.08 else angle, "is_iceberg": is_iceberg}


def archive_bytes(name: str, content: bytes) -> bytes:
    """Return a 7z archive of one file, in folders as the real ones have it."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "x.7z"
        pack_7z(path, {f"data/processed/{name}": content})
        return path.read_bytes()
