"""Small cadences of noise: needles are slanted lines in the A panels only, interference is in all six."""

from __future__ import annotations

import io

import numpy as np
import pandas as pd

from benchmarks.rehearsal.making import csv_bytes, hexadecimal_ids

TRAIN, TEST, OLD = 112, 3, 36
"""Snippets, Kaggle's test snippets, and snippets of the first launch, all of which are in train again."""
TIMES, FREQUENCIES = 12, 14
A_PANELS = (0, 2, 4)


def make(rng: np.random.Generator) -> dict[str, bytes]:
    ids = ["123456789012", "0000000001e5", *hexadecimal_ids(rng, TRAIN + TEST + OLD - 2, digits=12)]
    target = (rng.random(len(ids)) < 0.25).astype(int)
    originals = rng.permutation(TRAIN)[:OLD]
    target[-OLD:] = target[originals]
    cadences = [make_cadence(rng, bool(has_needle)) for has_needle in target]
    cadences[-OLD:] = [cadences[place] for place in originals]
    frame = pd.DataFrame({"id": ids, "target": target})
    parts = {
        "train": frame[:TRAIN],
        "test": frame[TRAIN : TRAIN + TEST],
        "old_leaky_data/train_old": frame[TRAIN + TEST : -OLD // 2],
        "old_leaky_data/test_old": frame[-OLD // 2 :],
    }
    files = {
        "train_labels.csv": csv_bytes(parts["train"]),
        "sample_submission.csv": csv_bytes(parts["test"].assign(target=0.5)),
        "old_leaky_data/train_labels_old.csv": csv_bytes(parts["old_leaky_data/train_old"]),
        "old_leaky_data/test_labels_old.csv": csv_bytes(parts["old_leaky_data/test_old"]),
    }
    for part, rows in parts.items():
        for place, id in rows["id"].items():
            files[f"{part}/{id[0]}/{id}.npy"] = cadences[place]
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
