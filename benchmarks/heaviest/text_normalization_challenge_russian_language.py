"""Tokens of made-up words, and numbers with their spelling."""

from __future__ import annotations

import zipfile
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from benchmarks.heaviest.facts import HEAVIEST
from benchmarks.heaviest.making import blocks, make_sentences, make_words, write_rows
from mlebench.preparation import read_csv, read_member

if TYPE_CHECKING:
    from pathlib import Path

LETTERS = "оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъ"
WORDS, NUMBERS, SHARE_OF_NUMBERS = 40_000, 10_000, 0.12
NAME = "ru_train.csv"
NAMES = ["sentence_id", "token_id", "class", "before", "after"]


def make(raw: Path, scale: float) -> int:
    rng, rows = np.random.default_rng(0), int(HEAVIEST["text-normalization-challenge-russian-language"].rows * scale)
    words = make_words(rng, WORDS, LETTERS)
    written = [str(number) for number in rng.integers(1, 10**6, NUMBERS)]
    spoken = make_sentences(rng, NUMBERS, words, 4)
    before, after = pa.array(words + written), pa.array(words + spoken)
    kinds = pa.array(["PLAIN"] * WORDS + ["CARDINAL"] * NUMBERS)
    ends = np.cumsum(rng.integers(5, 24, rows // 5 + 1))  # where sentences end
    with (
        zipfile.ZipFile(raw / f"{NAME}.zip", "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive,
        archive.open(NAME, "w", force_zip64=True) as file,
    ):
        file.write((",".join(f'"{name}"' for name in NAMES) + "\n").encode())
        for first, count in blocks(rows):
            places = np.arange(first, first + count)
            sentence = np.searchsorted(ends, places, side="right")
            begins = np.where(sentence, ends[sentence - 1], 0)
            is_number = rng.random(count) < SHARE_OF_NUMBERS
            drawn = np.where(is_number, WORDS + rng.integers(0, NUMBERS, count), rng.integers(0, WORDS, count))
            texts = (column.take(pa.array(drawn)) for column in (kinds, before, after))
            columns = [sentence, places - begins, *texts]
            write_rows(file, dict(zip(NAMES, columns, strict=True)), quoted=True)
    return rows


def read(raw: Path) -> None:
    read_csv(read_member(raw / f"{NAME}.zip", NAME))
