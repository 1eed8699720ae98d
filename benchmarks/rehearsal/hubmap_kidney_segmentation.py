"""Pink tissue with round, darker glomeruli, some of them partly behind a fold."""

from __future__ import annotations

import io
import json
from typing import Any

import numpy as np
import pandas as pd
from PIL import Image

from benchmarks.rehearsal.making import csv_bytes, hexadecimal_ids
from mlebench.metrics.segmentation import encode_mask

TRAIN, TEST = 15, 5
BLOCK, CORNERS = 4, 12
"""Side of the squares of equal pixels, and corners of an outline."""


def make(rng: np.random.Generator) -> dict[str, bytes]:
    ids = [f"{id[:8]}a" for id in hexadecimal_ids(rng, TRAIN + TEST, 8)]  # none is a number
    files: dict[str, bytes] = {}
    information, codes = [], []
    for place, id in enumerate(ids):
        height, width = (int(side) for side in rng.integers(64, 97, 2))
        circles = [(*rng.uniform(8, min(height, width) - 8, 2), rng.uniform(4, 9)) for _ in range(rng.integers(3, 8))]
        row, column = np.mgrid[:height, :width]
        mask = np.any([(row - y) ** 2 + (column - x) ** 2 <= r**2 for y, x, r in circles], axis=0)
        folder = "train" if place < TRAIN else "test"
        files[f"{folder}/{id}.tiff"] = make_picture(rng, mask)
        edge = [[0, 0], [width - 1, 0], [width - 1, height - 1], [0, height - 1], [0, 0]]
        files[f"{folder}/{id}-anatomical-structure.json"] = json.dumps([feature("Cortex", edge)]).encode()
        if folder == "train":
            files[f"train/{id}.json"] = json.dumps([feature("glomerulus", outline(*c)) for c in circles]).encode()
            codes.append(encode_mask(mask))
        information.append(describe(rng, id, width, height, patient=60_000 + 7 * (place // 2)))
    table = pd.DataFrame(information)
    return files | {
        "train.csv": csv_bytes(pd.DataFrame({"id": ids[:TRAIN], "encoding": codes})),
        "HuBMAP-20-dataset_information.csv": csv_bytes(table.iloc[rng.permutation(len(table))]),
        "sample_submission.csv": csv_bytes(pd.DataFrame({"id": ids[TRAIN:], "predicted": ""})),
    }


def make_picture(rng: np.random.Generator, mask: np.ndarray) -> bytes:
    height, width = mask.shape
    grain = rng.integers(-2, 3, (height // BLOCK + 1, width // BLOCK + 1)).repeat(BLOCK, 0).repeat(BLOCK, 1)
    light = 200 - 60 * mask + 12 * grain[:height, :width]
    picture = np.stack([light, light - 40, light - 10], axis=2).astype(np.uint8)
    buffer = io.BytesIO()
    Image.fromarray(picture).save(buffer, "TIFF", compression="tiff_adobe_deflate")
    return buffer.getvalue()


def outline(y: float, x: float, radius: float) -> list[list[int]]:
    turn = np.linspace(0, 2 * np.pi, CORNERS)
    return np.stack([x + radius * np.cos(turn), y + radius * np.sin(turn)], axis=1).round().astype(int).tolist()


def feature(name: str, corners: list[list[int]]) -> dict[str, Any]:
    return {
        "type": "Feature",
        "id": "PathAnnotationObject",
        "geometry": {"type": "Polygon", "coordinates": [corners]},
        "properties": {"classification": {"name": name, "colorRGB": -3140401}, "isLocked": True, "measurements": []},
    }


def describe(rng: np.random.Generator, id: str, width: int, height: int, patient: int) -> dict[str, Any]:
    return {
        "image_file": f"{id}.tiff",
        "width_pixels": width,
        "height_pixels": height,
        "anatomical_structures_segmention_file": f"{id}-anatomical-structure.json",
        "glomerulus_segmentation_file": f"{id}.json",
        "patient_number": patient,
        "race": rng.choice(["White", "Black or African American"]),
        "ethnicity": "Not Hispanic or Latino",
        "sex": rng.choice(["Female", "Male"]),
        "age": rng.choice([31.0, 58.0, 66.0]),
        "weight_kilograms": rng.choice([59.0, 79.9, 71.7]),
        "height_centimeters": rng.choice([160.0, 160.7, 177.6]),
        "bmi_kg/m^2": rng.choice([23.0, 32.2]),
        "laterality": rng.choice(["Left", "Right"]),
        "percent_cortex": int(rng.choice([55, 65, 80])),
        "percent_medulla": int(rng.choice([20, 35, 45])),
    }
