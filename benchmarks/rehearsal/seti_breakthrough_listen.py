"""Small cadences of noise: needles are slanted lines in the A panels only, interference is in all six."""

from __future__ import annotations

import io

import numpy as np
import pandas as pd

from benchmarks.rehearsal.making import csv_bytes, hexadecimal_ids

TRAIN, TEST, OLD = 140, 3, 4
TIMES, FREQUENCIES = 12, 14
A_PANELS = (0, 2, 4)


def make(rng: np.random.Generator) -> dict[str, bytes]:
    ids = ["123456789012", "0000000001e5", *hexadecimal_ids(rng, TRAIN + TEST + 2 * OLD - 2, digits=12)]
    target = (rng.random(len(ids)) < 0.25).astype(int)
    frame = pd.DataFrame({"id": ids, "target": target})
    parts = {
        "train": frame[:TRAIN],
        "test": frame[TRAIN : TRAIN + TEST],
        "old_leaky_data/train_old": frame[TRAIN + TEST : -OLD],
        "old_leaky_data/test_old": frame[-OLD:],
    }
    files = {
        "train_labels.csv": csv_bytes(parts["train"]),
        "sample_submission.csv": csv_bytes(parts["test"].assign(target=0.5)),
        "old_leaky_data/train_labels_old.csv": csv_bytes(parts["old_leaky_data/train_old"]),
        "old_leaky_data/test_labels_old.csv": csv_bytes(parts["old_leaky_data/test_old"]),
    }
    for part, rows in parts.items():
        for id, has_needle in rows.itertuples(index=False):
            files[f"{part}/{id[0]}/{id}.npy"] = make_cadence(rng, bool(has_needle))
    return files


def make_cadence(rng: np.random.Generator, has_needle: bool) -> bytes:
    cadence = rng.integers(0, 3, (6, TIMES, FREQUENCIES))
    if rng.random() < 0.5:
        add_line(rng, cadence, range(6))
    if has_needle:
        add_line(rng, cadence, A_PANELS)
    buffer = io.BytesIO()
    np.save(buffer, (cadence / 2 - 0.5).astype(np.float16))
    return buffer.getvalue()


def add_line(rng: np.random.Generator, cadence: np.ndarray, panels: range | tuple[int, ...]) -> None:
    """Draw a line that drifts in frequency over the time of all panels, into some of them."""
    start, drift = rng.uniform(0, FREQUENCIES), rng.uniform(-0.2, 0.2)
    for panel in panels:
        time = np.arange(TIMES)
        place = (start + drift * (panel * TIMES + time)).astype(int) % FREQUENCIES
        cadence[panel, time, place] = 5
