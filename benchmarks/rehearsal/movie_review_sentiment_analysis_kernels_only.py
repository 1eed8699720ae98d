"""Sentences of reviews and their phrases: the words of a phrase determine its sentiment."""

from __future__ import annotations

import numpy as np
import pandas as pd

from benchmarks.rehearsal.making import csv_bytes, zip_bytes

SENTENCES, TEST_SENTENCES = 36, 6
NEUTRAL = "the a of and story film director scene it is that with in an for , its characters plot movie".split()
GOOD = "funny moving wonderful charming fresh gripping brilliant".split()
BAD = "dull awful tedious clumsy bland pointless mess".split()


def make(rng: np.random.Generator) -> dict[str, bytes]:
    phrases = make_phrases(rng)
    known = phrases["SentenceId"] <= SENTENCES
    test = phrases[~known].drop(columns="Sentiment")
    return {
        "train.tsv.zip": zip_bytes({"train.tsv": tsv_bytes(phrases[known])}),
        "test.tsv.zip": zip_bytes({"test.tsv": tsv_bytes(test)}),
        "sampleSubmission.csv": csv_bytes(test[["PhraseId"]].assign(Sentiment=2)),
    }


def make_phrases(rng: np.random.Generator) -> pd.DataFrame:
    """Return whole sentences, each followed by parts of itself that differ by a word; no part occurs twice."""
    rows, seen = [], set()
    for sentence in range(1, SENTENCES + TEST_SENTENCES + 1):
        words = rng.choice([*NEUTRAL, *GOOD, *BAD], int(rng.integers(8, 16))).tolist()
        if sentence == 1:
            words[0] = "None"  # a phrase that looks missing
        spans = [(0, len(words)), (0, 1)] if sentence == 1 else [(0, len(words))]
        start = int(rng.integers(0, len(words) - 1))
        spans += [(start, stop) for stop in range(start + 1, len(words))]
        spans += [(first, len(words)) for first in range(1, start)]
        for start, stop in spans:
            part = words[start:stop]
            phrase = " ".join(part)
            if phrase not in seen:
                seen.add(phrase)
                rows.append((len(rows) + 1, sentence, phrase, sentiment(part)))
    return pd.DataFrame(rows, columns=["PhraseId", "SentenceId", "Phrase", "Sentiment"])


def sentiment(words: list[str]) -> int:
    balance = sum((word in GOOD) - (word in BAD) for word in words)
    return int(np.clip(2 + balance, 0, 4))


def tsv_bytes(frame: pd.DataFrame) -> bytes:
    return frame.to_csv(index=False, sep="\t", lineterminator="\n").encode()
