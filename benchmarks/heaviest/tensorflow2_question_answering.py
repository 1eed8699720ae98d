"""Questions about articles of made-up words."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.heaviest.facts import HEAVIEST
from benchmarks.heaviest.making import make_sentences, make_words

if TYPE_CHECKING:
    from pathlib import Path

ARTICLES, WORDS, LENGTH, CANDIDATES = 500, 30_000, 1_300, 35
SHARE_ANSWERED = 0.5


def make(raw: Path, scale: float) -> int:
    rng, rows = np.random.default_rng(0), int(HEAVIEST["tensorflow2-question-answering"].rows * scale)
    words = make_words(rng, WORDS)
    articles = [begin_line(text) for text in make_sentences(rng, ARTICLES, words, LENGTH)]
    questions = make_sentences(rng, ARTICLES, words, 9)
    answered = rng.random(rows) < SHARE_ANSWERED
    chosen = rng.integers(0, CANDIDATES, rows)
    with (raw / "simplified-nq-train.jsonl").open("w", encoding="ascii") as file:
        for row, article in enumerate(rng.integers(0, ARTICLES, rows).tolist()):
            rest = {
                "question_text": questions[row % ARTICLES],
                "annotations": [annotation(int(chosen[row]) if answered[row] else None, row)],
                "document_url": "https://example.org/w/Places",
                "example_id": (row * 0x9E3779B97F4A7C15) % 2**64 - 2**63,
            }
            file.write(f"{articles[article]}, {json.dumps(rest)[1:]}\n")
    return rows


def begin_line(text: str) -> str:
    """Return the beginning of a JSON object: an article with markup in the middle, and its parts."""
    tokens = [f"<P> {word} 1/2 </P>" if place % 25 == 0 else word for place, word in enumerate(text.split())]
    parts = [
        {"start_token": 25 * number, "top_level": True, "end_token": 25 * number + 25} for number in range(CANDIDATES)
    ]
    return json.dumps({"document_text": " ".join(tokens), "long_answer_candidates": parts})[:-1]


def annotation(candidate: int | None, row: int) -> dict[str, Any]:
    if candidate is None:
        long, short = {"start_token": -1, "candidate_index": -1, "end_token": -1}, []
    else:
        start = 25 * candidate
        long = {"start_token": start, "candidate_index": candidate, "end_token": start + 25}
        short = [{"start_token": start + 4, "end_token": start + 6}] if row % 3 else []
    return {"yes_no_answer": "NONE", "long_answer": long, "short_answers": short, "annotation_id": row + 2**63}


def read(raw: Path) -> None:
    with (raw / "simplified-nq-train.jsonl").open(encoding="utf-8") as lines:
        for line in lines:
            json.loads(line)
