"""Small pages with columns of characters, each with its own strokes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd

from benchmarks.rehearsal.making import csv_bytes, picture_bytes, zip_bytes

if TYPE_CHECKING:
    import numpy as np

TRAIN, TEST = 58, 2
WIDTH, HEIGHT, CELL = 48, 64, 16
BOOKS = [f"{name}{volume:03}" for name in ("umgy", "hnsd", "brsk") for volume in range(1, 5)]
"""Books, whose pages have the same characters at nearly the same places."""
SIGNS = {
    "U+306F": [(0, 2, 10, 3), (0, 7, 10, 8)],
    "U+304C": [(1, 0, 2, 10), (7, 0, 8, 10)],
    "U+306E": [(0, 0, 10, 2), (0, 0, 2, 10)],
    "U+4E00": [(4, 0, 7, 10)],
    "U+3057": [(0, 4, 10, 6), (8, 4, 10, 10)],
}
"""Strokes as rectangles: top, left, bottom and right."""


def make(rng: np.random.Generator) -> dict[str, bytes]:
    pictures: dict[str, dict[str, bytes]] = {"train": {}, "test": {}}
    rows = []
    layouts = [make_layout(rng) for _ in BOOKS]
    for number in range(TRAIN + TEST):
        book = int(rng.integers(len(BOOKS)))
        part = "train" if number < TRAIN else "test"
        id = f"{BOOKS[book]}-{number:03}" if part == "train" else f"test_{number:08}"
        content, labels = make_page(rng, [] if number == 3 else layouts[book])
        pictures[part][f"{id}.jpg"] = content
        rows.append((id, labels))
    table = pd.DataFrame(rows, columns=["image_id", "labels"])
    translation = pd.DataFrame({"Unicode": list(SIGNS)})
    translation["char"] = [chr(int(code[2:], 16)) for code in SIGNS]
    return {
        "train.csv": csv_bytes(table[:TRAIN]),
        "sample_submission.csv": csv_bytes(table[TRAIN:].assign(labels="U+003F 1 1 U+FF2F 2 2")),
        "unicode_translation.csv": csv_bytes(translation),
        "train_images.zip": zip_bytes(pictures["train"]),
        "test_images.zip": zip_bytes(pictures["test"]),
    }


def make_layout(rng: np.random.Generator) -> list[tuple[str, int, int]]:
    """Return the characters of a book's pages with their cells, from the right column to the left."""
    cells = [(left, top) for left in range(WIDTH - CELL, -1, -CELL) for top in range(0, HEIGHT, CELL)]
    codes = rng.choice(list(SIGNS), len(cells), p=[0.35, 0.25, 0.2, 0.15, 0.05])
    return [(str(code), *cell) for code, cell in zip(codes, cells, strict=True)]


def make_page(rng: np.random.Generator, layout: list[tuple[str, int, int]]) -> tuple[bytes, str | None]:
    """Return a page and its labels; a page without a layout is a picture, which has no labels."""
    paper = rng.normal(215, 4, (HEIGHT, WIDTH))
    labels = []
    for code, left, top in layout:
        if rng.random() < 0.35:
            continue
        x, y = left + int(rng.integers(1, 5)), top + int(rng.integers(1, 5))
        for one, two, three, four in SIGNS[code]:
            paper[y + one : y + three, x + two : x + four] -= 150
        labels.append(f"{code} {x} {y} 10 10")
    if not layout:
        paper[10:50, 10:40] -= 100
    return picture_bytes(paper.clip(0, 255), "JPEG", quality=40), " ".join(labels) or None
