"""Readings of a machine, whose state depends on two features, their interaction and the letters of a text."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd

from benchmarks.rehearsal.making import csv_bytes

TRAIN, TEST, PREPARED_TEST = 260, 20, 40
LETTERS = np.array(list("ABCDEFGHIJKLMNOPQRST"))


def make(rng: np.random.Generator) -> dict[str, bytes]:
    readings = make_readings(rng, TRAIN + TEST)
    test = readings.iloc[TRAIN:].drop(columns="target")
    return {
        "train.csv": csv_bytes(readings.iloc[:TRAIN]),
        "test.csv": csv_bytes(test),
        "sample_submission.csv": csv_bytes(test[["id"]].assign(target=0.5)),
        "rehearsal.json": json.dumps({"test_size": PREPARED_TEST}).encode(),
    }


def make_readings(rng: np.random.Generator, rows: int) -> pd.DataFrame:
    columns: dict[str, np.ndarray | range] = {"id": range(rows)}
    for place in range(27):
        name = f"f_{place:02}"
        if 7 <= place <= 18:
            columns[name] = rng.poisson(2.5, rows)
        else:
            columns[name] = np.round(rng.normal(0, 1 if place < 7 else 2.3, rows), 6)
    letters = rng.integers(0, len(LETTERS), (rows, 10)) % rng.integers(1, len(LETTERS) + 1, 10)
    columns["f_27"] = np.array(["".join(row) for row in LETTERS[letters]])
    columns["f_28"] = np.round(rng.normal(0, 240, rows), 4)
    columns["f_29"] = (rng.random(rows) < 0.35).astype(int)
    columns["f_30"] = rng.integers(0, 3, rows)
    frame = pd.DataFrame(columns)
    logit = 1.2 * frame["f_21"] / 2.3 + 1.5 * frame["f_00"] * frame["f_26"] / 2.3 + frame["f_05"] + frame["f_30"] - 1
    logit += 0.3 * (len(set("ABC")) - np.array([len(set(text)) for text in frame["f_27"]]) / 2)
    return frame.assign(target=(rng.random(rows) < 1 / (1 + np.exp(-2 * logit))).astype(int))
