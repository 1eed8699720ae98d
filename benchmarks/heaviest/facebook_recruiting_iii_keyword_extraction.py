"""Questions of made-up words in HTML."""

from __future__ import annotations

import zipfile
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.heaviest.facts import HEAVIEST
from benchmarks.heaviest.making import blocks, make_sentences, make_words
from mlebench.preparation import read_csv

if TYPE_CHECKING:
    from pathlib import Path

WORDS, TITLES, BODIES, TAGS, SETS = 30_000, 50_000, 10_000, 42_048, 50_000
ROWS_AT_A_TIME = 2**16


def make(raw: Path, scale: float) -> int:
    rng, rows = np.random.default_rng(0), int(HEAVIEST["facebook-recruiting-iii-keyword-extraction"].rows * scale)
    words = make_words(rng, WORDS)
    titles = make_sentences(rng, TITLES, words, 8)
    paragraphs = make_sentences(rng, BODIES, words, 150)
    bodies = [f'<p>{text}</p>\r\n\r\n<pre><code>{text[:60]} = ""1"";\n</code></pre>\n' for text in paragraphs]
    names = np.array([f"{word}-{number}" for number, word in enumerate(make_words(rng, TAGS))])
    tags = [
        " ".join(dict.fromkeys(names[(TAGS * rng.random(count) ** 4).astype(int)]))
        for count in rng.integers(1, 6, SETS).tolist()
    ]
    with (
        zipfile.ZipFile(raw / "Train.zip", "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive,
        archive.open("Train.csv", "w", force_zip64=True) as file,
    ):
        file.write(b'"Id","Title","Body","Tags"\n')
        for first, count in blocks(rows, ROWS_AT_A_TIME):
            drawn = (rng.integers(0, len(texts), count).tolist() for texts in (titles, bodies, tags))
            cells = enumerate(zip(*drawn, strict=True), start=first + 1)
            lines = [f'"{id}","{titles[title]}?","{bodies[body]}","{tags[tag]}"\n' for id, (title, body, tag) in cells]
            file.write("".join(lines).encode())
    return rows


def read(raw: Path) -> None:
    with zipfile.ZipFile(raw / "Train.zip") as archive, archive.open("Train.csv") as table:
        for _ in read_csv(table, dtype={"Id": str, "Tags": str}, chunksize=ROWS_AT_A_TIME):
            pass
