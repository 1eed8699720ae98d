"""Breaths of a simple lung: flow against resistance plus volume over compliance, on a grid of pressures."""

from __future__ import annotations

import numpy as np
import pandas as pd

from benchmarks.rehearsal.making import csv_bytes

TRAIN, TEST, STEPS = 40, 3, 40
RESISTANCES, COMPLIANCES = [5, 20, 50], [10, 20, 50]
LOWEST, GRID = -1.9, 0.0703


def make(rng: np.random.Generator) -> dict[str, bytes]:
    numbers = np.sort(rng.choice(np.arange(1, 400), TRAIN + TEST, replace=False))
    breaths = [make_breath(rng, int(number)) for number in numbers]
    train, test = (pd.concat(part, ignore_index=True) for part in (breaths[:TRAIN], breaths[TRAIN:]))
    for part in (train, test):
        part.insert(0, "id", range(1, len(part) + 1))
    return {
        "train.csv": csv_bytes(train),
        "test.csv": csv_bytes(test.drop(columns="pressure")),
        "sample_submission.csv": csv_bytes(test[["id"]].assign(pressure=0)),
    }


def make_breath(rng: np.random.Generator, number: int) -> pd.DataFrame:
    resistance, compliance = rng.choice(RESISTANCES), rng.choice(COMPLIANCES)
    time = np.concatenate([[0], np.cumsum(rng.uniform(0.064, 0.068, STEPS - 1))])
    expiratory = time > 1
    opening = rng.uniform(5, 30) + rng.uniform(0, 60) * np.exp(-time / rng.uniform(0.1, 0.5))
    valve = np.where(expiratory, np.where(time > 1.3, 5.0, 0.0), opening)
    flow = np.where(expiratory, 0, valve) / 40
    volume = np.cumsum(flow) * 8
    pressure = 5 + resistance * flow * 0.4 + volume / compliance * 8 + rng.normal(0, 0.3, STEPS)
    decay = np.exp(-np.clip(time - 1, 0, None) / 0.3)
    pressure = np.clip(np.where(expiratory, 6 + (pressure - 6) * decay, pressure), LOWEST, 64.8)
    return pd.DataFrame(
        {
            "breath_id": number,
            "R": resistance,
            "C": compliance,
            "time_step": time,
            "u_in": valve,
            "u_out": expiratory.astype(int),
            "pressure": LOWEST + GRID * np.round((pressure - LOWEST) / GRID),
        }
    )
