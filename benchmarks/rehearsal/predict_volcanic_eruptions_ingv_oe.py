"""Short segments of tremor, which becomes louder and slower before an eruption."""

from __future__ import annotations

import numpy as np
import pandas as pd

from benchmarks.rehearsal.making import csv_bytes

TRAIN, TEST, ROWS, SENSORS = 110, 4, 36, 10
STEP = 200
"""Values are multiples of it, which compresses well."""
LONGEST = 49_000_000


def make(rng: np.random.Generator) -> dict[str, bytes]:
    ids = rng.choice(2**31, TRAIN + TEST, replace=False)
    time = (LONGEST * rng.beta(1.2, 1.5, len(ids))).astype(int)
    frame = pd.DataFrame({"segment_id": ids, "time_to_eruption": time})
    files = {
        "train.csv": csv_bytes(frame[:TRAIN]),
        "sample_submission.csv": csv_bytes(frame[TRAIN:].assign(time_to_eruption=0)),
    }
    for place, (id, left) in enumerate(frame.itertuples(index=False)):
        files[f"{'train' if place < TRAIN else 'test'}/{id}.csv"] = csv_bytes(make_segment(rng, left / LONGEST))
    return files


def make_segment(rng: np.random.Generator, left: float) -> pd.DataFrame:
    turns, loudness = 2 + 6 * left, 400 + 1600 * (1 - left)
    phase, moment = rng.uniform(0, 2 * np.pi, SENSORS), np.linspace(0, 2 * np.pi, ROWS)
    tremor = loudness * (np.sin(turns * moment[:, np.newaxis] + phase) + rng.normal(0, 0.1, (ROWS, SENSORS)))
    values = np.round(tremor / STEP) * STEP
    values[:, rng.random(SENSORS) < 0.08] = np.nan
    values[rng.random(values.shape) < 0.01] = np.nan
    return pd.DataFrame(values + 0.0, columns=[f"sensor_{number}" for number in range(1, SENSORS + 1)])
