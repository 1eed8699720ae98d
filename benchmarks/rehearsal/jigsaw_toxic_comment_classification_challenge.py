"""Comments on several lines: each kind of toxicity has its own words, and half of the test does not count."""

from __future__ import annotations

import numpy as np
import pandas as pd

from benchmarks.rehearsal.making import csv_bytes, hexadecimal_ids, zip_bytes
from mlebench.competitions.jigsaw_toxic_comment_classification_challenge.task import CLASSES

TRAIN, TEST = 240, 120
WORDS = "the article page edit source please revert talk section, link thanks NA user why this \u201cfact\u201d".split()
RUDE = {
    "toxic": ["rubbish", "dumb"],
    "severe_toxic": ["DIE", "!!!!"],
    "obscene": ["damn", "crap"],
    "threat": ["beware", "find you"],
    "insult": ["idiot", "you fool"],
    "identity_hate": ["your kind", "foreigner"],
}


def make(rng: np.random.Generator) -> dict[str, bytes]:
    labels = make_labels(rng, TRAIN + TEST)
    comments = pd.DataFrame(
        {
            "id": hexadecimal_ids(rng, TRAIN + TEST, digits=16),
            "comment_text": [make_comment(rng, row) for row in labels],
            **{name: labels[:, place] for place, name in enumerate(CLASSES)},
        }
    )
    comments.loc[3, "comment_text"] = "NA"
    test = comments.iloc[TRAIN:].sort_values("id")
    hidden = test.drop(columns="comment_text")
    hidden.loc[rng.random(TEST) < 0.5, CLASSES] = -1
    tables = {
        "train": comments.iloc[:TRAIN],
        "test": test[["id", "comment_text"]],
        "test_labels": hidden,
        "sample_submission": hidden.assign(**dict.fromkeys(CLASSES, 0.5)),
    }
    return {f"{name}.csv.zip": zip_bytes({f"{name}.csv": csv_bytes(table)}) for name, table in tables.items()}


def make_labels(rng: np.random.Generator, rows: int) -> np.ndarray:
    """Return six columns of 0 and 1, more frequent than in the real data so that few rows have all of them."""
    toxic = rng.random((rows, 1)) < 0.4
    others = rng.random((rows, len(CLASSES) - 1)) < [0.3, 0.5, 0.25, 0.5, 0.25]
    return np.hstack([toxic, toxic & others]).astype(int)


def make_comment(rng: np.random.Generator, labels: np.ndarray) -> str:
    words = list(rng.choice(WORDS, rng.integers(4, 14)))
    for name, label in zip(CLASSES, labels, strict=True):
        if rng.random() < (0.85 if label else 0.03):
            words.append(str(rng.choice(RUDE[name])))
    text = " ".join(rng.permutation(words))
    return text.replace(" page", '\n\n"page"').replace(" talk", "\n== talk ==")
