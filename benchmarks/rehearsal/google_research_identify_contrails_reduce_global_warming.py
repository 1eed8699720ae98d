"""Clear skies with a cold, straight line that moves from picture to picture."""

from __future__ import annotations

import io
import json
from dataclasses import dataclass
from typing import Any

import numpy as np

TRAIN, VALIDATION, TEST, OF_A_SCENE = 20, 5, 1, 3
"""Records, and how many train records in sequence are of one scene and day."""
SIDE, FRAMES, LABELLED, LABELLERS = 12, 8, 4, 4
START, DAY, WEEK = 1_555_081_200, 24 * 3600, 7
"""The time of the first record and a day in seconds, and the days from a scene to the next."""
BANDS = range(8, 17)
TELLING = (13, 15)
"""The bands that show contrails; all others are constant, so that the files are small."""


def make(rng: np.random.Generator) -> dict[str, bytes]:
    ids = [str(id) for id in rng.integers(10**15, 9 * 10**18, TRAIN + VALIDATION)]
    parts = {"train": ids[:TRAIN], "validation": ids[TRAIN:], "test": ids[-TEST:]}
    files: dict[str, bytes] = {}
    shared = [make_scene(rng, week) for week in range(TRAIN // OF_A_SCENE + 1)]
    scenes = {
        "train": [shared[number // OF_A_SCENE] for number in range(TRAIN)],
        "validation": [make_scene(rng, week) for week in range(VALIDATION)],
    }
    for part in ("train", "validation"):
        described = [describe(*entry) for entry in zip(parts[part], scenes[part], range(TRAIN), strict=False)]
        files[f"{part}_metadata.json"] = json.dumps(described).encode()
        for id, scene in zip(parts[part], scenes[part], strict=True):
            record = make_record(rng, scene)
            if part == "validation":
                del record["human_individual_masks"]
            files |= {f"{part}/{id}/{name}.npy": array_bytes(array) for name, array in record.items()}
    for id in parts["test"]:
        files |= {f"test/{id}/band_{band:02}.npy": files[f"validation/{id}/band_{band:02}.npy"] for band in BANDS}
    lines = ["record_id,encoded_pixels", *(f"{id},-" for id in parts["test"])]
    files["sample_submission.csv"] = ("\n".join(lines) + "\n").encode()
    return files


@dataclass(frozen=True)
class Scene:
    """A place on a day, and the contrail that is there."""

    week: int
    row: float
    column: float
    slope: float
    top: int
    has_contrail: bool
    warmth: float


def make_scene(rng: np.random.Generator, week: int) -> Scene:
    """Return a scene; two of three have a contrail."""
    row, column = (round(float(value), 3) for value in rng.uniform(-3e6, 3e6, 2))
    slope, top, there = rng.uniform(-0.6, 0.6), rng.integers(2, SIDE - 5), rng.random() < 0.67
    return Scene(week, row, column, slope, top, there, rng.integers(27_000, 29_000) / 100)


def describe(id: str, scene: Scene, number: int) -> dict[str, Any]:
    return {
        "record_id": id,
        "row_min": scene.row,
        "row_size": 2000.5,
        "col_min": scene.column,
        "col_size": 2000.5,
        "timestamp": float(START + WEEK * DAY * scene.week + 1800 * (number % OF_A_SCENE)),
        "projection_wkt": 'PROJCS["Rehearsal",GEOGCS["WGS 84"]]',
    }


def make_record(rng: np.random.Generator, scene: Scene) -> dict[str, np.ndarray]:
    """Return bands and masks of a scene, whose contrail drifts downwards."""
    row, column, frame = np.mgrid[:SIDE, :SIDE, :FRAMES]
    top = scene.top + int(rng.integers(0, 2))
    line = np.abs(row - (top + scene.slope * (column - SIDE / 2) + frame - LABELLED + 2)) <= 1
    line &= scene.has_contrail & (frame >= LABELLED - 1)
    warmth = scene.warmth
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
