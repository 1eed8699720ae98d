"""Drawn pets: bright pictures with large faces are popular, blurred and occluded ones are not."""

from __future__ import annotations

import numpy as np
import pandas as pd

from benchmarks.rehearsal.making import csv_bytes, hexadecimal_ids, picture_bytes, with_copies

TRAIN, TEST, SIDE = 130, 8, 16
FLAGS = {
    "Subject Focus": 0.03,
    "Eyes": 0.77,
    "Face": 0.9,
    "Near": 0.86,
    "Action": 0.01,
    "Accessory": 0.07,
    "Group": 0.13,
    "Collage": 0.05,
    "Human": 0.17,
    "Occlusion": 0.17,
    "Info": 0.06,
    "Blur": 0.07,
}
"""The flags in their order, and their frequencies."""


def make(rng: np.random.Generator) -> dict[str, bytes]:
    rows = TRAIN + TEST
    pets = pd.DataFrame({"Id": hexadecimal_ids(rng, rows, digits=32)})
    for name, share in FLAGS.items():
        pets[name] = (rng.random(rows) < share).astype(int)
    pets["Eyes"] *= 1 - pets["Blur"]
    brightness = rng.uniform(60, 220, rows)
    score = 0.25 * brightness - 4 + 6 * pets["Near"] - 12 * pets["Blur"] - 8 * pets["Occlusion"]
    pets["Pawpularity"] = np.clip(np.round(score + rng.gumbel(-4, 8, rows)), 1, 100).astype(int)
    train, test = pets.iloc[:TRAIN], pets.iloc[TRAIN:].drop(columns="Pawpularity")
    guesses = test[["Id"]].assign(Pawpularity=rng.uniform(1, 100, TEST).round(2))
    files = {"train.csv": csv_bytes(train), "test.csv": csv_bytes(test), "sample_submission.csv": csv_bytes(guesses)}
    pictures = [make_picture(rng, light, near) for light, near in zip(brightness, pets["Near"], strict=True)]
    pictures = with_copies(rng, pictures, pets["Pawpularity"] // 10, share=0.3)
    for place, (id, picture) in enumerate(zip(pets["Id"], pictures, strict=True)):
        files[f"{'train' if place < TRAIN else 'test'}/{id}.jpg"] = picture
    return files


def make_picture(rng: np.random.Generator, brightness: float, near: int) -> bytes:
    """Return a face, a disc with two dark eyes, on a plain background."""
    height, width = SIDE, SIDE + int(rng.choice([-4, 0, 4]))
    y, x = np.mgrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j]
    size = 0.85 if near else 0.5
    pixels = np.full((height, width, 3), 0.7) * rng.uniform(0.6, 1.2, 3)
    pixels[np.hypot(x, y) < size] = rng.uniform(0.8, 1.3, 3)
    pixels[np.hypot(np.abs(x) - size / 2, y + size / 4) < 0.15] = 0.1
    return picture_bytes(np.clip(pixels * brightness / pixels.mean(), 0, 255), "JPEG", quality=25)
