"""Sentences of three authors, each with their own favourite words."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING

import pandas as pd

from benchmarks.rehearsal.making import csv_bytes, with_copies, zip_bytes

if TYPE_CHECKING:
    import numpy as np

TRAIN, TEST = 300, 20
AUTHORS = {"EAP": 0.4, "HPL": 0.29, "MWS": 0.31}
FAVOURITES = {
    "EAP": "however singular chamber altogether manner indeed Dupin balloon precisely bell".split(),
    "HPL": "ancient cyclopean street whispered hideous Arkham nameless stone dream horror".split(),
    "MWS": "heart misery Raymond love tears friend beloved happiness Adrian sympathy".split(),
}
COMMON = "the of and to a in was I that it his my with as he had for at which not from by night house old man".split()


def make(rng: np.random.Generator) -> dict[str, bytes]:
    rows = TRAIN + TEST
    authors = rng.choice(list(AUTHORS), rows, p=list(AUTHORS.values()))
    texts = [make_sentence(rng, author).encode() for author in authors]
    sentences = pd.DataFrame(
        {
            "id": [f"id{number:05}" for number in rng.choice(28_000, rows, replace=False)],
            "text": [text.decode() for text in with_copies(rng, texts, authors, share=0.1)],
            "author": authors,
        }
    )
    test = sentences.iloc[TRAIN:].drop(columns="author")
    sample = test[["id"]].assign(EAP=0.403493538995863, HPL=0.287808366106543, MWS=0.308698094897594)
    return {
        "train.zip": zip_bytes({"train.csv": quoted(sentences.iloc[:TRAIN])}),
        "test.zip": zip_bytes({"test.csv": quoted(test)}),
        "sample_submission.zip": zip_bytes({"sample_submission.csv": csv_bytes(sample)}),
    }


def make_sentence(rng: np.random.Generator, author: str) -> str:
    count = int(rng.integers(6, 26))
    words = rng.choice(COMMON, count)
    own = rng.random(count) < 0.12
    words[own] = rng.choice(FAVOURITES[author], int(own.sum()))
    text = " ".join(words)
    if rng.random() < 0.4:
        text = text.replace(" and ", ", and ").replace(" which ", "; which ")
    if rng.random() < 0.1:
        text = f'"{text[0].upper()}{text[1:]}," said I'
    return f"{text[0].upper()}{text[1:]}{rng.choice(['.', '.', '.', '?', '!'])}"


def quoted(frame: pd.DataFrame) -> bytes:
    """Return a table as CSV text with quotes around every cell, as in the original."""
    return frame.to_csv(index=False, lineterminator="\n", quoting=csv.QUOTE_ALL).encode()
