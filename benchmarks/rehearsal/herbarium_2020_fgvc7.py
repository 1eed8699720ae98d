"""Pressed leaves of species with one photo to fourteen, described in a file that mixes UTF-8 and Latin-1."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from benchmarks.rehearsal.leaves import SIDE, make_names, make_sheets

SIZES = [1, 1, 2, 3, 3, 4, 5, 6, 6, 7, 8, 9, 9, 10, 10, 12, 12, 14]
HIGHEST, TEST = 32_093, 3
FOLDER = "nybg2020/"


def make(rng: np.random.Generator) -> dict[str, bytes]:
    species = np.concatenate([[0], 1 + rng.choice(HIGHEST, len(SIZES) - 1, replace=False)]).tolist()
    sheets, annotations, images = {}, [], []
    ids = rng.choice(1_100_000, sum(SIZES), replace=False).tolist()
    for row, (kind, picture) in enumerate(make_sheets(rng, SIZES)):
        category = species[kind]
        name = f"images/{category // 100:03d}/{category % 100:02d}/{ids[row]}.jpg"
        sheets[f"{FOLDER}train/{name}"] = picture
        place = int(rng.integers(3))
        annotations.append({"category_id": category, "id": row, "image_id": ids[row], "region_id": place})
        images.append(describe(ids[row], name, license=place))
    tested = [describe(str(row), f"images/000/{row}.jpg", license=0) for row in range(TEST)]
    tests = zip(tested, make_sheets(rng, [1] * TEST), strict=True)
    sheets |= {f"{FOLDER}test/{image['file_name']}": picture for image, (_, picture) in tests}
    info = {"year": 2020, "version": "1", "url": "", "description": "", "contributor": "", "date_created": "2020-02-01"}
    licenses = [{"id": row, "name": f"Licence {row}", "url": f"https://example.org/{row}"} for row in range(3)]
    described = {
        "annotations": annotations,
        "categories": make_categories(rng, species),
        "images": images,
        "info": info,
        "licenses": licenses,
        "regions": [{"id": row, "name": name} for row, name in enumerate(make_names(rng, 3, "ia"))],
    }
    return {
        **sheets,
        f"{FOLDER}train/metadata.json": json_bytes(described),
        f"{FOLDER}test/metadata.json": json_bytes({"images": tested, "info": info, "licenses": licenses}),
        "sample_submission.csv": ("Id,Predicted\n" + "".join(f"{row},0\n" for row in range(TEST))).encode(),
    }


def describe(id: int | str, name: str, license: int) -> dict[str, Any]:
    return {"file_name": name, "height": SIDE, "id": id, "license": license, "width": SIDE}


def make_categories(rng: np.random.Generator, species: list[int]) -> list[dict[str, Any]]:
    families, genera = make_names(rng, 4, "aceae"), make_names(rng, 7, "a")
    epithets = make_names(rng, len(species), "um")
    epithets[0], epithets[1] = "\u00d7hybrida", "no\udcebliae"  # in UTF-8, and a byte of Latin-1
    categories = []
    for number, epithet in zip(species, epithets, strict=True):
        genus = int(rng.integers(7))
        name = f"{genera[genus]} {epithet.lower()}"
        categories.append({"family": families[genus % 4], "genus": genera[genus], "id": number, "name": name})
    return categories


def json_bytes(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogateescape")
