"""Pressed leaves of taxa in genera with distances; the numbers of photos have gaps, as in the real data."""

from __future__ import annotations

import itertools

import numpy as np

from benchmarks.rehearsal.herbarium_2020_fgvc7 import json_bytes
from benchmarks.rehearsal.leaves import make_names, make_sheets

SIZES = [2, 6, 6, 7, 8, 8, 9, 9, 10, 10, 12, 12, 14, 15]
HIGHEST, GENERA, TEST = 15_505, 5, 3


def make(rng: np.random.Generator) -> dict[str, bytes]:
    taxa = np.concatenate([[42], 100 + rng.choice(HIGHEST - 99, len(SIZES) - 1, replace=False)]).tolist()
    genus = rng.integers(0, GENERA, len(SIZES)).tolist()
    numbers = [iter(np.sort(rng.choice(100, size, replace=False)).tolist()) for size in SIZES]
    sheets, annotations, images = {}, [], []
    for kind, picture in make_sheets(rng, SIZES):
        taxon = taxa[kind]
        id = f"{taxon:05d}__{next(numbers[kind]) + 1:03d}"
        name = f"{taxon // 100:03d}/{taxon % 100:02d}/{id}.jpg"
        place = int(rng.integers(3))
        sheets[f"train_images/{name}"] = picture
        annotations.append({"genus_id": genus[kind], "institution_id": place, "category_id": taxon, "image_id": id})
        images.append({"image_id": id, "file_name": name, "license": place})
    tested = [
        {"image_id": str(row), "file_name": f"000/test-{row:06d}.jpg", "license": 0, "picture": picture}
        for row, (_, picture) in enumerate(make_sheets(rng, [1] * TEST))
    ]
    sheets |= {f"test_images/{image['file_name']}": image.pop("picture") for image in tested}
    genera, epithets = make_names(rng, GENERA, "a"), make_names(rng, len(taxa), "um")
    epithets[0] = "×hybridum"
    described = {
        "annotations": annotations,
        "images": images,
        "categories": [
            {
                "category_id": taxon,
                "scientificName": f"{genera[number]} {epithet.lower()} L.",
                "family": f"{genera[number % 2]}ceae",
                "genus": genera[number],
                "species": epithet.lower(),
                "authors": "L.",
            }
            for taxon, number, epithet in zip(taxa, genus, epithets, strict=True)
        ],
        "genera": [{"genus_id": number, "genus": name} for number, name in enumerate(genera)],
        "institutions": [{"institution_id": row, "collectionCode": f"Hall{row}"} for row in range(3)],
        "distances": [
            {"genus_id_x": x, "genus_id_y": y, "distance": float(rng.gamma(2, 50))}
            for x, y in itertools.combinations(range(GENERA), 2)
        ],
        "licenses": [{"id": row, "name": f"Licence {row}", "url": f"https://example.org/{row}"} for row in range(3)],
    }
    return {
        **sheets,
        "train_metadata.json": json_bytes(described),
        "test_metadata.json": json_bytes(tested),
        "sample_submission.csv": ("Id,Predicted\n" + "".join(f"{row},42\n" for row in range(TEST))).encode(),
    }
