"""Sentences of a small grammar, so that the words around a gap mostly determine the missing word."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from benchmarks.rehearsal.making import zip_bytes

if TYPE_CHECKING:
    import numpy as np

LINES, SURPLUS = 6_000, 3
NOUNS = "market minister team company river city player report winter café".split()
VERBS = {"said": "that", "looked": "at", "asked": "for", "waited": "until", "belongs": "to"}
ADJECTIVES = "new old small national late".split()
SHORT = ['" .', "No .", "Yes !"]


def make(rng: np.random.Generator) -> dict[str, bytes]:
    lines = [make_sentence(rng) for _ in range(LINES + SURPLUS)]
    test = '"id","sentence"\n1,"The market that night ."\n'
    return {
        "train_v2.txt.zip": zip_bytes({"train_v2.txt": "".join(f"{line}\n" for line in lines).encode()}),
        "test_v2.txt.zip": zip_bytes({"test_v2.txt": test.encode()}),
        "rehearsal.json": json.dumps({"lines": LINES}).encode(),
    }


def make_sentence(rng: np.random.Generator) -> str:
    if rng.random() < 0.03:
        return str(rng.choice(SHORT))
    verb = str(rng.choice(list(VERBS)))
    words = ["The", str(rng.choice(NOUNS)), verb, VERBS[verb], "the", *adjective(rng), str(rng.choice(NOUNS))]
    if rng.random() < 0.4:
        words += [",", "and", "the", str(rng.choice(NOUNS)), "was", *adjective(rng)]
    if rng.random() < 0.1:
        words = ['"', *words, '"']
    return " ".join([*words, "."])


def adjective(rng: np.random.Generator) -> list[str]:
    return [str(rng.choice(ADJECTIVES))] if rng.random() < 0.5 else []
