"""Texts with the same hash are noticed, and others are not."""

from __future__ import annotations

import io
import itertools

import numpy as np
import pandas as pd
import pytest

from mlebench.grading import intake
from mlebench.ground import collisions, tables
from mlebench.ground.collisions import has_colliding_texts


def colliding(count: int, length: int, blocks: tuple[str, str] = ("Aa", "BB")) -> list[str]:
    return ["".join(row) for row in itertools.islice(itertools.product(blocks, repeat=length), count)]


def csv(texts: list[str]) -> bytes:
    return ("id,y\n" + "".join(f"{text},1\n" for text in texts)).encode()


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (colliding(30_000, 15), True),
        (colliding(30_000, 15, ("\u00e9a", "\u00ea\u0042")), True),
        ([*colliding(20_000, 15), "x" * 4_000_000, *["0.5"] * 100_000], True),
        (["Aa" * 15] * 30_000, False),
        ([f"{number:024x}" for number in range(30_000)], False),
        ([f"0.{number}" for number in range(200_000)], False),
        (["x" * 1_000_000], False),
        (colliding(10, 4), False),
    ],
)
def test_texts_of_the_same_hash_are_noticed(texts, expected):
    assert has_colliding_texts(csv(texts)) is expected


def test_the_hash_is_the_polynomial_of_signed_bytes():
    for text in (b"", b"a", b"BB", "\u00e9t\u00e9".encode(), bytes(range(1, 256)) * 16):
        value = 0
        for byte in text:
            value = (31 * value + (byte - 256 if byte > 127 else byte)) % 2**32
        assert collisions._hash(text) == value


def test_such_a_submission_is_read_in_portions_with_the_same_result(monkeypatch):
    rows = len(texts := colliding(9_000, 15))
    frame = pd.DataFrame({"id": texts, "whole": range(rows), "part": np.linspace(0, 1, rows)})
    frame["gaps"] = frame["part"].where(frame["whole"] % 5000 > 3)
    frame["texts"] = frame["id"].where(frame["whole"] % 5000 > 2500)
    content = frame.to_csv(index=False).encode()
    at_once = tables.read_csv(io.BytesIO(content))
    portions = []
    monkeypatch.setattr(pd, "concat", lambda frames, concat=pd.concat: portions.append(frames) or concat(frames))
    monkeypatch.setattr(collisions, "IS_NEEDED", True)
    read = intake.parse_submission(content, intake.Allowance())
    assert max(map(len, portions[0])) == collisions.ROWS_AT_ONCE
    pd.testing.assert_frame_equal(read, at_once, check_index_type=False, check_dtype=False)
    assert read.dtypes[["id", "part", "gaps"]].equals(at_once.dtypes[["id", "part", "gaps"]])
