"""Products with one to four pictures; all pictures are equal."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.heaviest.facts import HEAVIEST
from benchmarks.heaviest.making import blocks
from benchmarks.rehearsal.formats import bson_bytes
from mlebench.preparation import BsonFile

if TYPE_CHECKING:
    from pathlib import Path

CATEGORIES, FIRST_CATEGORY = 5_270, 1000000237
PICTURE, SHARES = bytes(range(1, 101)), (0.6, 0.2, 0.1, 0.1)
PLACEHOLDERS = 0x7EADBEE1, 0x7EADBEE2
DOCUMENTS_AT_A_TIME = 5_000


def make(raw: Path, scale: float) -> int:
    rng, rows = np.random.default_rng(0), int(HEAVIEST["cdiscount-image-classification-challenge"].rows * scale)
    categories = FIRST_CATEGORY + 4 * rng.choice(6_000, CATEGORIES, replace=False)
    with (raw / "train.bson").open("wb") as file:
        for first, count in blocks(rows, DOCUMENTS_AT_A_TIME):
            model = template(int(rng.choice(4, p=SHARES)) + 1)
            documents = np.tile(np.frombuffer(model, np.uint8), (count, 1))
            drawn = categories[(CATEGORIES * rng.random(count) ** 3).astype(int)]
            for placeholder, numbers in zip(PLACEHOLDERS, (np.arange(first, first + count), drawn), strict=True):
                place = model.index(struct.pack("<i", placeholder))
                documents[:, place : place + 4] = numbers.astype("<i4").view(np.uint8).reshape(-1, 4)
            file.write(documents.tobytes())
    (raw / "category_names.csv").write_text("category_id,category_level1,category_level2,category_level3\n")
    return rows


def template(pictures: int) -> bytes:
    """Return a document with placeholders for its numbers."""
    pictures_of = [{"picture": PICTURE} for _ in range(pictures)]
    return bson_bytes({"_id": PLACEHOLDERS[0], "category_id": PLACEHOLDERS[1], "imgs": pictures_of})


def read(raw: Path) -> None:
    BsonFile(raw / "train.bson", integers=["_id", "category_id"])
