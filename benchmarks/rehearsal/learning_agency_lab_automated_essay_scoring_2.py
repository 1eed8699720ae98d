"""Essays of common and rare words: good ones are longer, use rarer words and have fewer misspellings."""

from __future__ import annotations

import numpy as np
import pandas as pd

from benchmarks.rehearsal.making import csv_bytes, hexadecimal_ids, with_copies

TRAIN, TEST = 220, 3
SHARES = [0.08, 0.27, 0.34, 0.21, 0.08, 0.02]
"""The frequency of each score from 1 to 6."""
COMMON = "the school and student think good because people can help more time many want go make also phone car".split()
RARE = "however evidence furthermore community perspective demonstrate significant consequently benefit argue".split()


def make(rng: np.random.Generator) -> dict[str, bytes]:
    scores = rng.choice(np.arange(1, 7), TRAIN + TEST, p=SHARES)
    scores[:6] = np.arange(1, 7)
    texts = [make_essay(rng, score).encode() for score in scores]
    essays = pd.DataFrame(
        {
            "essay_id": hexadecimal_ids(rng, TRAIN + TEST, digits=7),
            "full_text": [text.decode() for text in with_copies(rng, texts, scores, share=0.1)],
            "score": scores,
        }
    )
    test = essays.iloc[TRAIN:].drop(columns="score")
    return {
        "train.csv": csv_bytes(essays.iloc[:TRAIN]),
        "test.csv": csv_bytes(test),
        "sample_submission.csv": csv_bytes(test[["essay_id"]].assign(score=3)),
    }


def make_essay(rng: np.random.Generator, score: int) -> str:
    quality = score + rng.normal(0, 0.5)
    paragraphs = []
    for _ in range(int(np.clip(round(quality), 1, 4))):
        sentences = [make_sentence(rng, quality) for _ in range(rng.integers(2, 5))]
        paragraphs.append(" ".join(sentences))
    return "\n\n".join(paragraphs)


def make_sentence(rng: np.random.Generator, quality: float) -> str:
    rare = rng.random(rng.integers(4, 11)) < 0.06 * quality
    words = np.where(rare, rng.choice(RARE, len(rare)), rng.choice(COMMON, len(rare)))
    misspelt = rng.random(len(rare)) < 0.2 - 0.03 * quality
    spelling = [word[::-1] if wrong else word for word, wrong in zip(words, misspelt, strict=True)]
    text = " ".join(spelling)
    return text.capitalize() + rng.choice([".", ".", ".", "?", ', "they" say.'])
