"""Lines of dark strokes on white paper; each clean page has three noisy ones, with a stain, a fold and grey paper."""

from __future__ import annotations

import numpy as np
import pandas as pd

from benchmarks.rehearsal.making import csv_bytes, picture_bytes, zip_bytes

TRAIN, TEST, NOISES, WIDTH, HEIGHTS = 30, 4, 3, 24, (12, 18)


def make(rng: np.random.Generator) -> dict[str, bytes]:
    numbers = rng.permutation(TRAIN + TEST) + 1
    cleans = [make_page(rng, HEIGHTS[place % 2]) for place in range(TRAIN // NOISES + TEST)]
    of_page = [*np.repeat(np.arange(TRAIN // NOISES), NOISES), *(TRAIN // NOISES + np.arange(TEST))]
    pages = {
        number: (cleans[page], add_noise(rng, cleans[page]))
        for number, page in zip(numbers.tolist(), of_page, strict=True)
    }
    train, test = numbers[:TRAIN].tolist(), sorted(numbers[TRAIN:].tolist())
    ids = [
        f"{number}_{row}_{column}"
        for number in test
        for row in range(1, pages[number][0].shape[0] + 1)
        for column in range(1, WIDTH + 1)
    ]
    return {
        "train.zip": zip_bytes({f"train/{number}.png": picture_bytes(pages[number][1], "PNG") for number in train}),
        "train_cleaned.zip": zip_bytes(
            {f"train_cleaned/{number}.png": picture_bytes(pages[number][0], "PNG") for number in train}
        ),
        "test.zip": zip_bytes({f"test/{number}.png": picture_bytes(pages[number][1], "PNG") for number in test}),
        "sampleSubmission.csv": csv_bytes(pd.DataFrame({"id": ids, "value": 1})),
    }


def make_page(rng: np.random.Generator, height: int) -> np.ndarray:
    """Return a clean page, as grey values from 0 to 255."""
    y = np.arange(height)[:, np.newaxis]
    ink = (y % 6 > 1) & (y % 6 < 5) & (rng.random((height, WIDTH)) < 0.5)
    return np.where(ink, rng.choice([0, 51, 102]), 255)


def add_noise(rng: np.random.Generator, clean: np.ndarray) -> np.ndarray:
    height = len(clean)
    y, x = np.mgrid[:height, :WIDTH]
    centre, radius = rng.uniform(0, [height, WIDTH]), rng.uniform(4, 8)
    ring = np.abs(np.hypot(y - centre[0], x - centre[1]) - radius) < 1.5
    fold = np.abs(x - rng.integers(WIDTH)) < 1
    noisy = 0.85 * clean + 20 - 60 * ring - 40 * fold + rng.integers(0, 4, clean.shape) * 4
    return np.clip(np.round(noisy / 8) * 8, 0, 255)
