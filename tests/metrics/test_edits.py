"""The edit distance against the plain table of dynamic programming."""

from __future__ import annotations

import random

import pytest

from mlebench.metrics.edits import levenshtein_distances, levenshtein_error

ALPHABETS = ["ab", "abcdefgh", "äöü日本\U0001f600xy", "a\0b", "InChI=1S/C13H20O-,()"]
LENGTHS = [0, 1, 5, 63, 64, 65, 128, 129, 150]


def distance(first: str, second: str) -> int:
    """Fill the table row by row (Wagner and Fischer, 1974)."""
    row = list(range(len(second) + 1))
    for deleted, left in enumerate(first, 1):
        above, row = row, [deleted]
        for place, right in enumerate(second, 1):
            row.append(min(above[place] + 1, row[-1] + 1, above[place - 1] + (left != right)))
    return row[-1]


def pairs(draw: random.Random, count: int) -> list[tuple[str, str]]:
    """Pairs of texts that have nothing or nearly everything in common."""
    made = []
    for _ in range(count):
        alphabet, length = draw.choice(ALPHABETS), draw.choice(LENGTHS)
        first = "".join(draw.choices(alphabet, k=length))
        second = list(first if draw.random() < 0.7 else draw.choices(alphabet, k=draw.choice(LENGTHS)))
        for _ in range(draw.choice([0, 1, 2, 10])):
            place = draw.randint(0, len(second))
            second[place : place + draw.choice([0, 1, 1])] = draw.choices(alphabet, k=draw.choice([0, 1, 1]))
        made.append((first, "".join(second)))
    return made


def test_distances_are_those_of_the_table():
    cases = pairs(random.Random(0), 600)
    assert levenshtein_distances(*zip(*cases, strict=True)).tolist() == [distance(*pair) for pair in cases]


def test_a_text_of_millions_of_characters_is_no_trouble():
    assert levenshtein_distances(["abc" * 50], ["x" * 3_000_000 + "abc"]).tolist() == [3_000_000]


def test_what_is_no_text_counts_as_printed():
    assert levenshtein_error(["nan", "5.0", "7"], [float("nan"), 5.0, 7]) == 0


def test_texts_come_in_pairs():
    with pytest.raises(ValueError, match="2 texts on one side and 1"):
        levenshtein_distances(["a", "b"], ["a"])
