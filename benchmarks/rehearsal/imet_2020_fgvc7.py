"""Objects of a collection: the background shows the country, the shape and the number of stripes show the tags."""

from __future__ import annotations

import numpy as np
import pandas as pd

from benchmarks.rehearsal.making import csv_bytes, hexadecimal_ids, picture_bytes, with_copies

TRAIN, TEST, SIDE = 200, 4, 20
COUNTRIES = ["china", "egypt", "france", "greece", "italy", "japan", "naïve, “unknown”", "peru"]
SHAPES = ["bowls", "coins", "crosses", "panels"]
STRIPES = ["plain", "striped", "lines", "fabric"]


def make(rng: np.random.Generator) -> dict[str, bytes]:
    names = [f"country::{name}" for name in COUNTRIES] + [f"tags::{name}" for name in SHAPES + STRIPES]
    ids = hexadecimal_ids(rng, TRAIN + TEST, digits=32)
    colours = rng.uniform(60, 240, (len(COUNTRIES), 3)).round(-1)
    attributes, pictures = [], []
    for _ in ids:
        country, shape, stripes = (int(rng.integers(len(kind))) for kind in (COUNTRIES, SHAPES, STRIPES))
        pictures.append(make_picture(rng, colours[country], shape, stripes))
        known = [country, len(COUNTRIES) + shape, len(COUNTRIES) + len(SHAPES) + stripes]
        kept = [number for number in known if rng.random() < 0.9] or known  # annotators overlook some
        attributes.append(" ".join(map(str, kept)))
    pictures = with_copies(rng, pictures, attributes, share=0.3)
    data = {
        f"{'train' if place < TRAIN else 'test'}/{id}.png": picture
        for place, (id, picture) in enumerate(zip(ids, pictures, strict=True))
    }
    labels = pd.DataFrame({"attribute_id": range(len(names)), "attribute_name": names})
    return {
        **data,
        "labels.csv": labels.to_csv(index=False, lineterminator="\r\n").encode(),
        "train.csv": csv_bytes(pd.DataFrame({"id": ids[:TRAIN], "attribute_ids": attributes[:TRAIN]})),
        "sample_submission.csv": csv_bytes(pd.DataFrame({"id": ids[TRAIN:], "attribute_ids": "0 1 2"})),
    }


def make_picture(rng: np.random.Generator, ground: np.ndarray, shape: int, stripes: int) -> bytes:
    y, x = np.mgrid[-1 : 1 : SIDE * 1j, -1 : 1 : SIDE * 1j]
    size = rng.uniform(0.5, 0.8)
    thing = [
        (np.hypot(x, y) < size) & (y > 0),
        np.hypot(x, y) < size,
        (np.minimum(np.abs(x), np.abs(y)) < 0.15) & (np.maximum(np.abs(x), np.abs(y)) < size),
        np.maximum(np.abs(x), np.abs(y)) < size,
    ][shape]
    pattern = np.floor((y + 1) * stripes * 2).astype(int) % 2 == 1
    shade = np.where(pattern, 40, 140)
    return picture_bytes(np.where(thing[..., np.newaxis], shade[..., np.newaxis], ground), "PNG")
