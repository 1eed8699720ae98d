"""Drawn leaves: each disease has its own colour and pattern of spots."""

from __future__ import annotations

import numpy as np
import pandas as pd

from benchmarks.rehearsal.making import csv_bytes, picture_bytes, with_copies

TRAIN, TEST, WIDTH, HEIGHT = 160, 6, 12, 16
LABELS = {
    "bacterial_leaf_blight": 0.05,
    "bacterial_leaf_streak": 0.05,
    "bacterial_panicle_blight": 0.05,
    "blast": 0.16,
    "brown_spot": 0.1,
    "dead_heart": 0.14,
    "downy_mildew": 0.06,
    "hispa": 0.15,
    "normal": 0.16,
    "tungro": 0.08,
}
"""The labels and their frequencies."""
VARIETIES = {"ADT45": 0.7, "KarnatakaPonni": 0.1, "Ponni": 0.08, "AndraPonni": 0.06, "Zonal": 0.06}


def make(rng: np.random.Generator) -> dict[str, bytes]:
    labels = np.sort(rng.choice(len(LABELS), TRAIN, p=list(LABELS.values())))
    names = [f"{number}.jpg" for number in rng.choice(np.arange(100_001, 110_408), TRAIN, replace=False)]
    train = pd.DataFrame(
        {
            "image_id": names,
            "label": np.array(list(LABELS))[labels],
            "variety": rng.choice(list(VARIETIES), TRAIN, p=list(VARIETIES.values())),
            "age": rng.integers(9, 17, TRAIN) * 5,
        }
    )
    tested = [f"{number}.jpg" for number in range(200_001, 200_001 + TEST)]
    sample = pd.DataFrame({"image_id": tested, "label": ""})
    files = {"train.csv": csv_bytes(train), "sample_submission.csv": csv_bytes(sample)}
    pictures = with_copies(rng, [make_picture(rng, number) for number in labels], labels, share=0.2)
    for name, label, picture in zip(names, train["label"], pictures, strict=True):
        files[f"train_images/{label}/{name}"] = picture
    for name in tested:
        files[f"test_images/{name}"] = make_picture(rng, rng.integers(len(LABELS)))
    return files


def make_picture(rng: np.random.Generator, number: int) -> bytes:
    """Return an upright leaf whose spots have the label's colour, size and slope."""
    y, x = np.mgrid[:HEIGHT, :WIDTH] + rng.uniform(0, 4)
    look = np.random.default_rng(int(number))
    colour, slope, width = look.uniform(0, 255, 3), look.uniform(-2, 2), look.uniform(0.4, 1.6)
    pixels = np.full((HEIGHT, WIDTH, 3), [70.0, 130.0, 60.0])
    pixels[np.sin(width * (x + slope * y)) > 0.2] = colour
    return picture_bytes(np.clip(pixels * rng.uniform(0.85, 1.1), 0, 255), "JPEG", quality=15)
