"""Pairs of phrases: the more words they share, and the closer the others are in meaning, the higher the score."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd

from benchmarks.rehearsal.making import csv_bytes, hexadecimal_ids

if TYPE_CHECKING:
    import numpy as np

ANCHORS, PER_ANCHOR, TEST = 24, 11, 12
MEANINGS = [
    ["strong", "rigid", "sturdy"],
    ["metal", "steel", "alloy"],
    ["cover", "lid", "cap"],
    ["sensor", "detector", "probe"],
    ["heat", "thermal", "warm"],
    ["fluid", "liquid", "coolant"],
    ["signal", "wave", "pulse"],
    ["layer", "film", "coating"],
    ["rotating", "turning", "spinning"],
    ["shaft", "axle", "spindle"],
    ["data", "information", "records"],
    ["storage", "memory", "buffer"],
]
"""Words of one list are close in meaning."""
CONTEXTS = ["A47", "B60", "C08", "D06", "E04", "F16", "G01", "H01", "H04"]


def make(rng: np.random.Generator) -> dict[str, bytes]:
    pairs = pd.DataFrame([make_pair(rng, *anchor) for anchor in make_anchors(rng) for _ in range(PER_ANCHOR)])
    pairs = pairs.iloc[rng.permutation(len(pairs))]
    pairs.insert(0, "id", hexadecimal_ids(rng, len(pairs), digits=16))
    test = pairs.iloc[:TEST].drop(columns="score")
    return {
        "train.csv": csv_bytes(pairs.iloc[TEST:]),
        "test.csv": csv_bytes(test),
        "sample_submission.csv": csv_bytes(test[["id"]].assign(score=0)),
    }


def make_anchors(rng: np.random.Generator) -> list[tuple[list[int], str]]:
    return [(rng.choice(len(MEANINGS), 2, replace=False).tolist(), str(rng.choice(CONTEXTS))) for _ in range(ANCHORS)]


def make_pair(rng: np.random.Generator, anchor: list[int], context: str) -> dict[str, object]:
    words = [MEANINGS[meaning][0] for meaning in anchor]
    quality = int(rng.choice([0, 1, 2, 3, 4], p=[0.2, 0.3, 0.34, 0.11, 0.05]))
    # Each of the two words is the same, close, or another; together they make the score.
    halves = {0: (0, 0), 1: (1, 0), 2: (1, 1) if rng.random() < 0.5 else (2, 0), 3: (2, 1), 4: (2, 2)}[quality]
    target = [like(rng, meaning, half) for meaning, half in zip(anchor, rng.permutation(halves), strict=True)]
    score = quality if rng.random() < 0.85 else min(4, quality + 1)
    return {"anchor": " ".join(words), "target": " ".join(target), "context": context, "score": score / 4}


def like(rng: np.random.Generator, meaning: int, closeness: int) -> str:
    if closeness == 2:
        return MEANINGS[meaning][0]
    if closeness == 1:
        return str(rng.choice(MEANINGS[meaning][1:]))
    other = (meaning + int(rng.integers(1, len(MEANINGS)))) % len(MEANINGS)
    return str(rng.choice(MEANINGS[other]))
