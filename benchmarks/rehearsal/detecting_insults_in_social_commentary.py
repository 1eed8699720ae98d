"""Comments with escape sequences: insults address a person and call them names."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd

from benchmarks.rehearsal.making import csv_bytes

if TYPE_CHECKING:
    import numpy as np

TRAIN, TEST, VERIFICATION = 240, 120, 80
NEUTRAL = ["I think", "the team won", "this damn rain", "that senator is a fool", "thanks", "see the link", "no idea"]
ADDRESS = ["you are", "you're such", "go away you", "your kind is", "shut up"]
NAMES = ["a fool", "an idiot", "a moron", "stupid", "a clown", "pathetic"]
ESCAPES = [r"\xa0", r"\n", r"\u2019s", ", ", "... ", ' "well" ', r"\\n", " "]


def make(rng: np.random.Generator) -> dict[str, bytes]:
    comments = pd.DataFrame([make_comment(rng, number) for number in range(TRAIN + TEST + VERIFICATION)])
    train = comments.iloc[:TRAIN]
    test = comments.iloc[TRAIN : TRAIN + TEST]
    usage = rng.choice(["PublicTest", "PrivateTest"], TEST)
    last = comments.iloc[TRAIN + TEST :].assign(id=range(1, VERIFICATION + 1), Usage="PrivateTest")
    return {
        "train.csv": csv_bytes(train),
        "test_with_solutions.csv": csv_bytes(test.assign(Usage=usage)),
        "test.csv": csv_bytes(last[["id", "Date", "Comment"]]),
        "sample_submission_null.csv": csv_bytes(last[["Insult", "Date", "Comment"]].assign(Insult=0)),
        "impermium_verification_set.csv": csv_bytes(last[["id", "Date", "Comment", "Usage"]]),
        "impermium_verification_labels.csv": csv_bytes(last[["id", "Insult", "Date", "Comment", "Usage"]]),
    }


def make_comment(rng: np.random.Generator, number: int) -> dict[str, str | int]:
    insult = int(rng.random() < 0.27)
    parts = list(rng.choice(NEUTRAL, rng.integers(1, 4)))
    if insult and rng.random() < 0.9:
        parts.append(f"{rng.choice(ADDRESS)} {rng.choice(NAMES)}")
    elif rng.random() < 0.2:
        parts.append(str(rng.choice(NAMES)))
    text = "".join(part + rng.choice(ESCAPES) for part in rng.permutation(parts))
    month, day, hour, second = rng.integers(1, [10, 28, 24, 60])
    date = "" if rng.random() < 0.2 else f"2012{month:02}{day:02}{hour:02}21{second:02}Z"
    return {"Insult": insult, "Date": date, "Comment": f'"{text}{number}"'}
