"""Leaves of twenty species under iconic names, in gzipped tar archives."""

from __future__ import annotations

import gzip
import io
import json
import tarfile
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.rehearsal.leaves import SIDE, make_names, make_sheets
from benchmarks.rehearsal.making import hexadecimal_ids

if TYPE_CHECKING:
    from collections.abc import Mapping

ICONIC = ["Fungi", "Plants", "Insects"]
SIZES = [1, 2, 3, 4, 5, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 12, 14, 15, 16, 18]
SPECIES, VALIDATION, TEST = 1_010, 1, 3


def make(rng: np.random.Generator) -> dict[str, bytes]:
    species = np.concatenate([[0, 654], 1 + rng.choice(653, len(SIZES) - 2, replace=False)]).tolist()
    sizes = np.array(SIZES) + VALIDATION
    sheets = make_sheets(rng, [*sizes.tolist(), TEST])
    hashes = hexadecimal_ids(rng, len(sheets), digits=32)
    parts: dict[str, list[tuple[int, str]]] = {"train": [], "val": [], "test": []}
    photos: dict[str, dict[str, bytes]] = {"train_val2019": {}, "test2019": {}}
    left = sizes.copy()
    for (kind, picture), name in zip(sheets, hashes, strict=True):
        if kind == len(SIZES):
            path, part = f"test2019/{name}.jpg", "test"
        else:
            path = f"train_val2019/{ICONIC[kind % 3]}/{species[kind]}/{name}.jpg"
            left[kind] -= 1
            part = "val" if left[kind] < VALIDATION else "train"
        photos[path.split("/")[0]][path] = picture
        parts[part].append((kind, path))
    genera, families = make_names(rng, 5, "a"), make_names(rng, 3, "aceae")
    described = {
        "info": {
            "contributor": "",
            "date_created": "2019-02-01",
            "description": "",
            "url": "",
            "version": 1,
            "year": 0,
        },
        "licenses": [{"id": row, "name": f"Licence {row}", "url": f"https://example.org/{row}"} for row in range(3)],
    }
    categories = [
        {
            "id": number,
            "name": f"species {number}",
            "kingdom": "kingdom",
            "phylum": "phylum",
            "class": ICONIC[kind % 3],
            "order": "ordo",
            "family": families[kind % 3],
            "genus": genera[kind % 5],
        }
        for kind, number in enumerate(species)
    ]
    files, id = {}, 0
    for part, members in parts.items():
        images, annotations = [], []
        for kind, path in members:
            images.append(describe(id, path, int(rng.integers(3))))
            if part != "test":
                annotations.append({"id": id, "image_id": id, "category_id": species[kind]})
            id += 1
        labels = {"categories": categories, "annotations": annotations} if part != "test" else {}
        files[f"{part}2019.json"] = json.dumps({**described, "images": images, **labels}).encode()
    first = id - TEST
    sample = "id,predicted\n" + "".join(f"{number},71 108 339 341 560\n" for number in range(first, id))
    archives = {f"{name}.tar.gz": tar_bytes(members) for name, members in photos.items()}
    return {**files, **archives, "kaggle_sample_submission.csv": sample.encode()}


def describe(id: int, path: str, license: int) -> dict[str, Any]:
    rights = f"© observer {license}"
    return {"id": id, "width": SIDE, "height": SIDE, "file_name": path, "license": license, "rights_holder": rights}


def tar_bytes(files: Mapping[str, bytes]) -> bytes:
    """Return a tar archive, with minimal gzip compression, since the outer archive compresses better."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        for name, content in sorted(files.items()):
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return gzip.compress(buffer.getvalue(), compresslevel=0, mtime=0)
