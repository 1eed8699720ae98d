"""Short messages; a phrase in most of them shows the sentiment."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd

from benchmarks.rehearsal.making import csv_bytes, hexadecimal_ids
from mlebench.preparation.split import split_positions

if TYPE_CHECKING:
    import numpy as np

TRAIN, TEST = 240, 20
FILLER = "i the work today at home just my and then again now with this cat bus, rain lol we go".split()
PHRASES = {
    "positive": ["love it!", "so happy", "thanks", "great", "really fun", "awesome!!"],
    "negative": ["hate", "so sad", "sorry...", "I miss you", "really bad", "ugh,"],
}


def make(rng: np.random.Generator) -> dict[str, bytes]:
    messages = pd.DataFrame([make_message(rng) for _ in range(TRAIN + TEST)])
    messages.insert(0, "textID", hexadecimal_ids(rng, TRAIN + TEST))
    blank, word = split_positions(TRAIN, 0.1)[0][:2]  # not for testing
    messages.loc[blank, ["text", "selected_text"]] = None  # as in the real data
    messages.loc[word, ["text", "selected_text"]] = "null"
    test = messages.iloc[TRAIN:].drop(columns="selected_text")
    return {
        "train.csv": csv_bytes(messages.iloc[:TRAIN]),
        "test.csv": csv_bytes(test),
        "sample_submission.csv": csv_bytes(test[["textID"]].assign(selected_text="")),
    }


def make_message(rng: np.random.Generator) -> dict[str, str]:
    sentiment = rng.choice(["neutral", "positive", "negative"], p=[0.4, 0.31, 0.29])
    before, after = (" ".join(rng.choice(FILLER, rng.integers(1, 6))) for _ in range(2))
    lead = rng.choice(["", " ", "  "], p=[0.8, 0.15, 0.05])
    if sentiment == "neutral":
        text = f"{lead}{before} {after}"
        return {"text": text, "selected_text": text.strip(), "sentiment": sentiment}
    phrase = rng.choice(PHRASES[sentiment])
    text = f"{lead}{before} {phrase} {after}"
    start = text.index(phrase, len(lead) + len(before)) - len(lead)  # spans are shifted by surplus blanks
    return {"text": text, "selected_text": text[start : start + len(phrase)], "sentiment": sentiment}
