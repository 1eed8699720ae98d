"""Cells of land whose cover depends on their height and soil; one class is rare, and one has a single row."""

from __future__ import annotations

import numpy as np
import pandas as pd

from benchmarks.rehearsal.making import csv_bytes

TRAIN, TEST = 300, 20
MEASURES = {
    "Elevation": (2980, 290),
    "Aspect": (150, 110),
    "Slope": (15, 8),
    "Horizontal_Distance_To_Hydrology": (270, 225),
    "Vertical_Distance_To_Hydrology": (50, 68),
    "Horizontal_Distance_To_Roadways": (1770, 1320),
    "Hillshade_9am": (212, 31),
    "Hillshade_Noon": (221, 22),
    "Hillshade_3pm": (141, 44),
    "Horizontal_Distance_To_Fire_Points": (1580, 1130),
}
"""Means and standard deviations."""


def make(rng: np.random.Generator) -> dict[str, bytes]:
    cells = make_cells(rng, TRAIN + TEST)
    test = cells.iloc[TRAIN:].drop(columns="Cover_Type")
    return {
        "train.csv": csv_bytes(cells.iloc[:TRAIN]),
        "test.csv": csv_bytes(test),
        "sample_submission.csv": csv_bytes(test[["Id"]].assign(Cover_Type=2)),
    }


def make_cells(rng: np.random.Generator, rows: int) -> pd.DataFrame:
    columns: dict[str, np.ndarray | range] = {"Id": range(rows)}
    for name, (mean, deviation) in MEASURES.items():
        columns[name] = np.round(rng.normal(mean, deviation, rows)).astype(int)
    for number in range(1, 5):
        columns[f"Wilderness_Area{number}"] = (rng.random(rows) < [0.22, 0.04, 0.65, 0.02][number - 1]).astype(int)
    for number in range(1, 41):
        columns[f"Soil_Type{number}"] = (rng.random(rows) < 0.03).astype(int)
    height = columns["Elevation"] + 80 * columns["Soil_Type10"] + 60 * rng.normal(size=rows)  # type: ignore[operator]
    cover = np.select([height > 3250, height > 3080, height > 2640, height > 2450], [7, 1, 2, 3], default=6)
    cover[:4] = [4, 4, 4, 5]
    return pd.DataFrame(columns).assign(Cover_Type=cover)
