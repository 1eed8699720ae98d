"""Clear skies with a cold, straight line that moves from picture to picture."""

from __future__ import annotations

import io
import json
from typing import Any

import numpy as np

TRAIN, VALIDATION, TEST = 20, 5, 1
SIDE, FRAMES, LABELLED, LABELLERS = 12, 8, 4, 4
BANDS = range(8, 17)
TELLING = (13, 15)
"""The bands that show contrails; all others are constant, so that the files are small."""


def make(rng: np.random.Generator) -> dict[str, bytes]:
    ids = [str(id) for id in rng.integers(10**15, 9 * 10**18, TRAIN + VALIDATION)]
    parts = {"train": ids[:TRAIN], "validation": ids[TRAIN:], "test": ids[-TEST:]}
    files: dict[str, bytes] = {}
    for part in ("train", "validation"):
        files[f"{part}_metadata.json"] = json.dumps([describe(rng, id) for id in parts[part]]).encode()
        for id in parts[part]:
            record = make_record(rng)
            if part == "validation":
                del record["human_individual_masks"]
            files |= {f"{part}/{id}/{name}.npy": array_bytes(array) for name, array in record.items()}
    for id in parts["test"]:
        files |= {f"test/{id}/band_{band:02}.npy": files[f"validation/{id}/band_{band:02}.npy"] for band in BANDS}
    lines = ["record_id,encoded_pixels", *(f"{id},-" for id in parts["test"])]
    files["sample_submission.csv"] = ("\n".join(lines) + "\n").encode()
    return files


def describe(rng: np.random.Generator, id: str) -> dict[str, Any]:
    row, column = (round(float(value), 3) for value in rng.uniform(-3e6, 3e6, 2))
    return {
        "record_id": id,
        "row_min": row,
        "row_size": 2000.5,
        "col_min": column,
        "col_size": 2000.5,
        "timestamp": float(rng.integers(1_555_000_000, 1_586_000_000)),
        "projection_wkt": 'PROJCS["Rehearsal",GEOGCS["WGS 84"]]',
    }


def make_record(rng: np.random.Generator) -> dict[str, np.ndarray]:
    """Return bands and masks of a scene; two of three have a contrail, which drifts downwards."""
    slope, top, there = rng.uniform(-0.6, 0.6), rng.integers(2, SIDE - 5), rng.random() < 0.67
    row, column, frame = np.mgrid[:SIDE, :SIDE, :FRAMES]
    line = np.abs(row - (top + slope * (column - SIDE / 2) + frame - LABELLED + 2)) <= 1
    line &= there & (frame >= LABELLED - 1)
    warmth = int(rng.integers(270, 290))
    record = {}
    for band in BANDS:
        picture = np.full(line.shape, warmth - 2 * (band == TELLING[1]), dtype=np.float32)
        record[f"band_{band:02}"] = picture - (8 if band == TELLING[0] else 4) * line if band in TELLING else picture
    truth = line[:, :, LABELLED, np.newaxis].astype(np.int32)
    record["human_individual_masks"] = np.repeat(truth[..., np.newaxis], LABELLERS, axis=-1)
    record["human_individual_masks"][..., -1] = 0  # one labeller overlooks them all
    record["human_pixel_masks"] = truth
    return {name: array.astype(np.float32) if name.startswith("band") else array for name, array in record.items()}


def array_bytes(array: np.ndarray) -> bytes:
    buffer = io.BytesIO()
    np.save(buffer, array)
    return buffer.getvalue()
