"""Conversations with two assistants: the one that says more and does not refuse is preferred."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd

from benchmarks.rehearsal.making import csv_bytes, with_copies

TRAIN, TEST = 200, 3
MODELS = ["amber-7b", "birch-13b", "cedar-chat", "delta-2", "ember-large"]
WORDS = """
answer because better building change city colour data different early energy example first garden good idea
language large light number often people please point reason river simple small step story system table thing
time train useful water winter word work world write year
""".split()
EXCUSE = "I am sorry, but I cannot help with that."
OUTCOMES = ["winner_model_a", "winner_model_b", "winner_tie"]


def make(rng: np.random.Generator) -> dict[str, bytes]:
    frame = make_conversations(rng, TRAIN + TEST)
    test = frame.iloc[TRAIN:][["id", "prompt", "response_a", "response_b"]]
    return {
        "train.csv": csv_bytes(frame.iloc[:TRAIN]),
        "test.csv": csv_bytes(test),
        "sample_submission.csv": csv_bytes(test[["id"]].assign(**dict.fromkeys(OUTCOMES, 1 / 3))),
    }


def make_conversations(rng: np.random.Generator, rows: int) -> pd.DataFrame:
    ids = np.sort(rng.choice(4_000_000_000, rows, replace=False))
    records = []
    for id in ids:
        turns = int(rng.choice([1, 2, 3], p=[0.8, 0.15, 0.05]))
        (text_a, value_a), (text_b, value_b) = make_responses(rng, turns), make_responses(rng, turns)
        difference = value_a - value_b + rng.normal(0, 0.5)
        outcome = 2 if abs(difference) < 0.6 else int(difference < 0)
        models = rng.choice(MODELS, 2, replace=False)
        prompt = [f"{sentence(rng, int(rng.integers(3, 9)))[:-1]}?" for _ in range(turns)]
        marks = {name: int(place == outcome) for place, name in enumerate(OUTCOMES)}
        texts = {"prompt": json.dumps(prompt), "response_a": text_a, "response_b": text_b}
        records.append({"id": id, "model_a": models[0], "model_b": models[1], **texts, **marks})
    frame = pd.DataFrame(records)
    outcomes = frame[OUTCOMES].to_numpy().argmax(axis=1)
    places = with_copies(rng, [str(row).encode() for row in range(rows)], outcomes, share=0.1)
    texts = frame[["prompt", "response_a", "response_b"]].iloc[[int(place) for place in places]]
    return frame.assign(**texts.reset_index(drop=True))


def make_responses(rng: np.random.Generator, turns: int) -> tuple[str, float]:
    """Return one assistant's responses and how much they are liked."""
    sentences = rng.integers(1, 6, turns)
    responses: list[str | None] = [
        "\n".join(sentence(rng, int(rng.integers(4, 10))) for _ in range(count)) for count in sentences
    ]
    value = float(sentences.mean())
    if rng.random() < 0.15:
        responses[-1], value = EXCUSE, value - 3
    elif rng.random() < 0.04:
        responses[-1], value = None, value - 3
    return json.dumps(responses), value


def sentence(rng: np.random.Generator, words: int) -> str:
    return " ".join(rng.choice(WORDS, words)).capitalize() + "."
