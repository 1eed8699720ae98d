"""Sheets of papyrus with fibres, some slices deep; strokes of letters are bright in the slices above the sheet."""

from __future__ import annotations

import io

import numpy as np
import pandas as pd
from PIL import Image

from benchmarks.rehearsal.making import csv_bytes, picture_bytes

SIZES = {"1": (24, 32), "2": (28, 36), "3": (26, 30)}
"""Height and width of each fragment."""
SLICES, SURFACE, DEPTH = 65, 32, 6
CUT_OUTS = {"a": slice(0, 12), "b": slice(12, 24)}
"""Dummy fragments of the original test folder: their rows of the first fragment."""
FIRST_SLICES = 3
"""Slices of a dummy fragment, which are not used; the real data have 65."""


def make(rng: np.random.Generator) -> dict[str, bytes]:
    files = {"sample_submission.csv": csv_bytes(pd.DataFrame({"Id": list(CUT_OUTS), "Predicted": "1 1 5 1"}))}
    for fragment, (height, width) in SIZES.items():
        mask, ink, slices = make_fragment(rng, height, width)
        folder = f"train/{fragment}"
        files |= volume(folder, mask, slices)
        files[f"{folder}/inklabels.png"] = picture_bytes(255 * ink, "PNG")
        files[f"{folder}/ir.png"] = picture_bytes(np.where(ink, 40, 120 + slices[SURFACE] // 1024), "PNG")
        files[f"{folder}/inklabels_rle.csv"] = csv_bytes(pd.DataFrame({"Id": [fragment], "Predicted": [encode(ink)]}))
        if fragment == "1":
            for name, rows in CUT_OUTS.items():
                files |= volume(f"test/{name}", mask[rows], slices[:FIRST_SLICES, rows])
    return files


def make_fragment(rng: np.random.Generator, height: int, width: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the mask of data, the mask of ink, and the slices."""
    y, x = np.mgrid[:height, :width]
    mask = np.hypot((y - height / 2) / height, (x - width / 2) / width) < 0.6
    ink = np.zeros(mask.shape, dtype=bool)
    for _ in range(6):
        top, left = rng.integers(2, height - 8), rng.integers(2, width - 8)
        tall = bool(rng.integers(2))
        ink[top : top + (7 if tall else 2), left : left + (2 if tall else 7)] = True
    ink &= mask
    fibres = (y + rng.integers(4)) // 2 % 2
    slices = np.full((SLICES, height, width), 1)
    slices[SURFACE : SURFACE + DEPTH] = 6 + 2 * fibres
    for number in range(SURFACE - 2, SURFACE + 1):
        slices[number] += 2 * (ink & (rng.random(mask.shape) < 0.7)) + 2 * (rng.random(mask.shape) < 0.1)
    return mask, ink, (slices * mask * 4096).astype(np.uint16)


def volume(folder: str, mask: np.ndarray, slices: np.ndarray) -> dict[str, bytes]:
    files = {f"{folder}/surface_volume/{number:02}.tif": tiff_bytes(pixels) for number, pixels in enumerate(slices)}
    return {f"{folder}/mask.png": picture_bytes(255 * mask, "PNG"), **files}


def tiff_bytes(pixels: np.ndarray) -> bytes:
    buffer = io.BytesIO()
    Image.fromarray(pixels).save(buffer, "TIFF")
    return buffer.getvalue()


def encode(mask: np.ndarray) -> str:
    """Return the run-length code: pixels from 1, left to right, then top to bottom."""
    edges = np.flatnonzero(np.diff(mask.ravel(), prepend=False, append=False)).reshape(-1, 2)
    return " ".join(f"{start + 1} {stop - start}" for start, stop in edges)
