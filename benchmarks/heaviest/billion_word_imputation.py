"""Sentences of made-up words."""

from __future__ import annotations

import json
import zipfile
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.heaviest.facts import HEAVIEST
from benchmarks.heaviest.making import blocks, make_sentences, make_words
from mlebench.preparation.archives import opened

if TYPE_CHECKING:
    from pathlib import Path

WORDS, DIFFERENT, MEAN = 50_000, 100_000, 19


def make(raw: Path, scale: float) -> int:
    rng, rows = np.random.default_rng(0), int(HEAVIEST["billion-word-imputation"].rows * scale)
    different = make_sentences(rng, DIFFERENT, make_words(rng, WORDS), MEAN)
    lines = np.array([f"{sentence} .\n".encode() for sentence in different], dtype=object)
    with (
        zipfile.ZipFile(raw / "train_v2.txt.zip", "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive,
        archive.open("train_v2.txt", "w", force_zip64=True) as file,
    ):
        for _, count in blocks(rows):
            file.write(b"".join(lines[rng.integers(0, len(lines), count)].tolist()))
    (raw / "test_v2.txt.zip").touch()
    if scale != 1:
        (raw / "rehearsal.json").write_text(json.dumps({"lines": rows}))
    return rows


def read(raw: Path) -> None:
    with opened(raw / "train_v2.txt.zip") as archive, archive.open("train_v2.txt") as file:
        while file.read(2**20):
            pass
