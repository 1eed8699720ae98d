"""Pressed leaves as in 2020, in other folders and with institutions."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from benchmarks.rehearsal import herbarium_2020_fgvc7 as before

if TYPE_CHECKING:
    import numpy as np


def make(rng: np.random.Generator) -> dict[str, bytes]:
    files = {name.removeprefix(before.FOLDER): content for name, content in before.make(rng).items()}
    described = json.loads(files["train/metadata.json"].decode(errors="surrogateescape").replace("\udceb", "ë"))
    described["institutions"] = described.pop("regions")
    for annotation in described["annotations"]:
        annotation["institution_id"] = annotation.pop("region_id")
    for category in described["categories"]:
        category["order"] = f"{category['family'].removesuffix('aceae')}ales"
        del category["genus"]
    return {**files, "train/metadata.json": before.json_bytes(described)}
