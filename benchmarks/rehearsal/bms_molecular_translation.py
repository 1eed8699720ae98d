"""Drawings of chains: each corner is an atom, a dot at an end is a heavier one; some drawings are rotated."""

from __future__ import annotations

import numpy as np
import pandas as pd
from PIL import Image, ImageDraw

from benchmarks.rehearsal.making import csv_bytes, hexadecimal_ids, picture_bytes

TRAIN, UNUSED, EXTRA, KNOWN = 120, 4, 30, 20
HEAVY = ["", "O", "N", "S"]


def make(rng: np.random.Generator) -> dict[str, bytes]:
    ids = hexadecimal_ids(rng, TRAIN + UNUSED, digits=12)
    molecules = [make_molecule(rng) for _ in ids]
    labels = pd.DataFrame({"image_id": ids, "InChI": [write_down(*molecule) for molecule in molecules]})[:TRAIN]
    sample = pd.DataFrame({"image_id": ids[TRAIN:], "InChI": "InChI=1S/H2O/h1H2"})
    known = rng.choice(labels["InChI"], KNOWN, replace=False)
    further = pd.DataFrame({"InChI": sorted({*known, *(write_down(*make_molecule(rng)) for _ in range(EXTRA))})})
    files = {
        "train_labels.csv": csv_bytes(labels),
        "sample_submission.csv": csv_bytes(sample),
        "extra_approved_InChIs.csv": csv_bytes(further),
    }
    for place, (id, molecule) in enumerate(zip(ids, molecules, strict=True)):
        folder = "train" if place < TRAIN else "test"
        files[f"{folder}/{'/'.join(id[:3])}/{id}.png"] = draw(rng, *molecule)
    return files


def make_molecule(rng: np.random.Generator) -> tuple[int, str, str]:
    """Return the number of carbon atoms of a chain and the heavier atoms at its ends, if there are any."""
    return int(rng.integers(2, 12)), str(rng.choice(HEAVY)), str(rng.choice(HEAVY))


def write_down(carbons: int, first: str, last: str) -> str:
    chain = "-".join(map(str, range(1, carbons + bool(first) + bool(last) + 1)))
    inner = f"/h2-{carbons - 1}H2,1H3" if carbons > 2 else "/h1-2H3"
    return f"InChI=1S/{first}C{carbons}H{2 * carbons + 2}{last}/c{chain}{inner}"


def draw(rng: np.random.Generator, carbons: int, first: str, last: str) -> bytes:
    width, height = 12 * carbons + 12, int(rng.integers(28, 40))
    picture = Image.new("L", (width, height), 255)
    pen = ImageDraw.Draw(picture)
    corners = [(8 + 12 * place, height // 2 + (5 if place % 2 else -5)) for place in range(carbons)]
    pen.line(corners, fill=0, width=1)
    for heavy, (x, y) in ((first, corners[0]), (last, corners[-1])):
        if heavy:
            size = {"O": 2, "N": 3, "S": 4}[heavy]
            pen.ellipse((x - size, y - size, x + size, y + size), fill=0)
    pixels = np.asarray(picture).copy()
    noise = rng.integers(0, pixels.size, 4)
    pixels.flat[noise] = 0
    return picture_bytes(np.rot90(pixels, rng.integers(0, 2)), "PNG")
