"""Photos of species: a few species have many, most have few."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.heaviest.facts import HEAVIEST
from mlebench.preparation import read_json

if TYPE_CHECKING:
    from pathlib import Path

SPECIES = 64_500


def make(raw: Path, scale: float) -> int:
    rng, rows, species = (
        np.random.default_rng(0),
        int(HEAVIEST["herbarium-2021-fgvc8"].rows * scale),
        int(SPECIES * scale),
    )
    share = rng.pareto(1.2, species) + 0.3
    kinds = np.concatenate([np.arange(species), rng.choice(species, rows - species, p=share / share.sum())])
    kinds = rng.permutation(kinds).tolist()
    names = [f"images/{kind // 100:03d}/{kind % 100:02d}/{number}.jpg" for number, kind in enumerate(kinds)]
    for folder in {name.rpartition("/")[0] for name in names}:
        (raw / "train" / folder).mkdir(parents=True)
    for name in names:
        os.mknod(f"{raw}/train/{name}", 0o644)
    described = {
        "annotations": [
            {"category_id": kind, "id": number, "image_id": number, "institution_id": number % 5}
            for number, kind in enumerate(kinds)
        ],
        "images": [
            {"file_name": name, "height": 1000, "id": number, "license": number % 3, "width": 666 + number % 50}
            for number, name in enumerate(names)
        ],
        "categories": [
            {"family": "Faceae", "id": kind, "name": f"Genus speciès{kind} L.", "order": "Ordales"}
            for kind in range(species)
        ],
        "info": {"description": "Photos", "year": 2021},
        "institutions": [{"id": number, "name": f"Hall {number}"} for number in range(5)],
        "licenses": [{"id": number, "name": f"Licence {number}"} for number in range(3)],
    }
    (raw / "train" / "metadata.json").write_text(json.dumps(described, ensure_ascii=False), encoding="utf-8")
    return rows


def read(raw: Path) -> None:
    read_json(raw / "train" / "metadata.json")
