"""Products as coloured shapes: the category has the colour, and each product has one to four views of its shape."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from benchmarks.rehearsal.formats import bson_bytes
from benchmarks.rehearsal.making import csv_bytes, picture_bytes, with_copies

TRAIN, TEST, EXAMPLES, SIDE = 240, 6, 10, 12
COPIES = 0.3
"""The share of products whose first picture is that of another product."""
CATEGORIES = {
    1000010653: ("ÉPICERIE", "THÉ - INFUSION", "THÉ"),
    1000004079: ("ÉPICERIE", "CONFISERIE", "BONBON"),
    1000015539: ("JARDIN - PISCINE", "ARROSAGE", "TUYAU, RACCORD"),
    1000018296: ("JARDIN - PISCINE", "MOBILIER", "CHAISE"),
    1000003407: ("LIBRAIRIE", "LITTÉRATURE", "ROMAN"),
    1000004141: ("SPORT", "CYCLISME", "SELLE"),
}
COLOURS = [(200, 40, 40), (40, 160, 60), (50, 70, 200), (220, 200, 40), (120, 60, 130), (60, 180, 190)]


def make(rng: np.random.Generator) -> dict[str, bytes]:
    ids = np.sort(rng.choice(24_000, TRAIN, replace=False))
    products = [make_product(rng, int(id)) for id in ids]
    share_pictures(rng, products)
    test = [make_product(rng, 24_000 + number) for number in range(TEST)]
    for product in test:
        del product["category_id"]
    names = pd.DataFrame.from_dict(CATEGORIES, orient="index", columns=[f"category_level{n}" for n in (1, 2, 3)])
    sample = pd.DataFrame({"_id": [product["_id"] for product in test], "category_id": next(iter(CATEGORIES))})
    return {
        "train.bson": b"".join(map(bson_bytes, products)),
        "train_example.bson": b"".join(map(bson_bytes, products[:EXAMPLES])),
        "test.bson": b"".join(map(bson_bytes, test)),
        "category_names.csv": csv_bytes(names.rename_axis("category_id").reset_index()),
        "sample_submission.csv": csv_bytes(sample),
    }


def share_pictures(rng: np.random.Generator, products: list[dict[str, Any]]) -> None:
    firsts = [product["imgs"][0] for product in products]
    categories = [product["category_id"] for product in products]
    shared = with_copies(rng, [first["picture"] for first in firsts], categories, COPIES)
    for first, picture in zip(firsts, shared, strict=True):
        first["picture"] = picture


def make_product(rng: np.random.Generator, id: int) -> dict[str, Any]:
    kind = int(rng.choice(len(CATEGORIES), p=[0.3, 0.2, 0.15, 0.15, 0.1, 0.1]))
    pictures = [make_picture(rng, kind) for _ in range(rng.choice([1, 2, 3, 4], p=[0.6, 0.2, 0.1, 0.1]))]
    return {"_id": id, "category_id": list(CATEGORIES)[kind], "imgs": [{"picture": picture} for picture in pictures]}


def make_picture(rng: np.random.Generator, kind: int) -> bytes:
    """Return a shape on white, sometimes in the colour of another category."""
    colour = COLOURS[kind if rng.random() < 0.8 else rng.integers(len(COLOURS))]
    y, x = np.mgrid[:SIDE, :SIDE]
    shape = np.hypot(y - rng.uniform(4, 8), x - rng.uniform(4, 8)) < rng.uniform(2, 6)
    return picture_bytes(np.where(shape[..., np.newaxis], colour, 255), "JPEG", quality=50)
