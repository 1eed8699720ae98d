"""Short English sentences: numbers, years, measures and letters are spelled out, and words are unchanged."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING

import pandas as pd

from benchmarks.rehearsal.making import zip_bytes

if TYPE_CHECKING:
    import numpy as np

SENTENCES, OTHER, REPEATED = 260, 12, 0.2
DIGITS = "o one two three four five six seven eight nine".split()
WORDS = "the train to London left at a big house, it was near null and they said café".split()
SPELLED = [("NA", "n a"), ("U.S.", "u s"), ("BBC", "b b c")]


def make(rng: np.random.Generator) -> dict[str, bytes]:
    return make_files(rng, "en", make_token)


def make_files(rng: np.random.Generator, language: str, make_token) -> dict[str, bytes]:
    """Return the five archives of a language, each with one table; only the first is used."""
    train, second, first = (make_tokens(rng, count, make_token) for count in (SENTENCES, OTHER, OTHER))
    tables = {"train": train}
    for suffix, tokens in (("_2", second), ("", first)):
        ids = tokens["sentence_id"].astype(str) + "_" + tokens["token_id"].astype(str)
        tables[f"test{suffix}"] = tokens[["sentence_id", "token_id", "before"]]
        tables[f"sample_submission{suffix}"] = pd.DataFrame({"id": ids, "after": tokens["before"]})
    return {
        f"{language}_{name}.csv.zip": zip_bytes({f"{language}_{name}.csv": quoted(table)})
        for name, table in tables.items()
    }


def make_tokens(rng: np.random.Generator, sentences: int, make_token) -> pd.DataFrame:
    """Return the tokens of sentences, of which some are repeated; their numbers have gaps."""
    rows, texts = [], []
    for sentence in rng.choice(2 * sentences, sentences, replace=False):
        tokens = [make_token(rng) for _ in range(rng.integers(1, 9))] + [("PUNCT", ".", ".")]
        if texts and rng.random() < REPEATED:
            tokens = texts[rng.integers(len(texts))]
        texts.append(tokens)
        rows += [(sentence, place, *token) for place, token in enumerate(tokens)]
    return pd.DataFrame(rows, columns=["sentence_id", "token_id", "class", "before", "after"])


def make_token(rng: np.random.Generator) -> tuple[str, str, str]:
    number = str(rng.integers(1, 1000))
    spoken = " ".join(DIGITS[int(digit)] for digit in number)
    match rng.choice(["word", "mark", "letters", "digit", "measure", "money"], p=[0.7, 0.06, 0.06, 0.08, 0.05, 0.05]):
        case "mark":
            mark = str(rng.choice([",", '"', "—"]))
            return "PUNCT", mark, mark
        case "letters":
            return "LETTERS", *SPELLED[rng.integers(len(SPELLED))]
        case "digit":
            return "DIGIT", number, spoken
        case "measure":
            return "MEASURE", f"{number}ft", f"{spoken} feet"
        case "money":
            return "MONEY", f"${number}", f"{spoken} dollars"
    word = str(rng.choice(WORDS))
    return "PLAIN", word, word


def quoted(table: pd.DataFrame) -> bytes:
    return table.to_csv(index=False, lineterminator="\n", quoting=csv.QUOTE_NONNUMERIC).encode()
