"""Grey slices with three round organs, each of its own brightness, that move from day to day."""

from __future__ import annotations

import io

import numpy as np
import pandas as pd
from PIL import Image

from benchmarks.rehearsal.making import csv_bytes
from mlebench.metrics.segmentation import encode_mask

CASES, SLICES = 12, 4
SIZES = ((24, 24), (24, 24), (20, 26))
"""Heights and widths of slices."""
ORGANS = {"large_bowel": (0.3, 0.3, 9_000), "small_bowel": (0.7, 0.4, 14_000), "stomach": (0.4, 0.75, 19_000)}
"""Position of the organs of each class, as fractions of height and width, and their brightness."""
GROUND = 3_000


def make(rng: np.random.Generator) -> dict[str, bytes]:
    files: dict[str, bytes] = {}
    rows = []
    for number in rng.permutation(np.arange(1, 160))[:CASES]:
        case = f"case{number}"
        height, width = SIZES[rng.integers(len(SIZES))]
        for day in np.sort(rng.permutation(30)[: rng.choice([1, 2, 3, 6], p=[0.2, 0.3, 0.3, 0.2])]):
            name = f"{case}_day{day}"
            moved = rng.uniform(-0.08, 0.08, 2)
            for slice_number in range(1, SLICES + 1):
                picture = np.full((height, width), GROUND, dtype=np.uint16)
                for organ, (down, right, light) in ORGANS.items():
                    mask = make_organ(rng, picture.shape, (down + moved[0], right + moved[1]), slice_number)
                    picture[mask] = light
                    rows.append((f"{name}_slice_{slice_number:04}", organ, encode_mask(mask.T)))  # along the rows
                path = f"train/{case}/{name}/scans/slice_{slice_number:04}_{width}_{height}_1.50_1.50.png"
                files[path] = png_bytes(picture)
    table = pd.DataFrame(rows, columns=["id", "class", "segmentation"])
    return files | {"train.csv": csv_bytes(table), "sample_submission.csv": b"id,class,predicted\n"}


def make_organ(
    rng: np.random.Generator, shape: tuple[int, ...], place: tuple[float, float], slice_number: int
) -> np.ndarray:
    """Return a disc that is smaller in the outer slices, or nothing."""
    row, column = np.mgrid[: shape[0], : shape[1]]
    radius = rng.uniform(2.5, 4.5) - abs(slice_number - (SLICES + 1) / 2)
    if rng.random() < 0.35:
        radius = 0
    return (row - place[0] * shape[0]) ** 2 + (column - place[1] * shape[1]) ** 2 < radius**2


def png_bytes(picture: np.ndarray) -> bytes:
    buffer = io.BytesIO()
    Image.fromarray(picture).save(buffer, "PNG", optimize=True)  # 16 bits of grey
    return buffer.getvalue()
