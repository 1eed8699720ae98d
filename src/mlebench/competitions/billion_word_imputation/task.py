"""Sentences of which one word was removed, to be put back in its place."""

import io
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd

from mlebench.errors import InvalidSubmissionError, RawDataError
from mlebench.preparation import Draws, fixed_count, packing
from mlebench.preparation.archives import opened

SHARE, SHORTEST = 0.01, 3
"""The share of sentences drawn for testing, and the number of words they need."""
BLOCK = 2**24
HEADER = '"id","sentence"\n'
Parts = tuple[list[str], list[tuple[str, int]]]
"""Train sentences, and test sentences with the place of the word to remove."""


def prepare(raw: Path, public: Path, private: Path) -> None:
    place_sentences(raw, public, private, left_out=frozenset())


def prepare_v2(raw: Path, public: Path, private: Path) -> None:
    tested = frozenset(sentence for _, drawn in read_parts(raw) for sentence, _ in drawn)
    place_sentences(raw, public, private, left_out=tested)


def read_parts(raw: Path) -> Iterator[Parts]:
    """Yield the train and test sentences of the raw data, as `split` does."""
    with (
        opened(raw / "train_v2.txt.zip") as archive,
        io.TextIOWrapper(archive.open("train_v2.txt"), encoding="utf-8") as sentences,
    ):
        yield from split(sentences, fixed_count(raw, "lines", 30_301_028))


def place_sentences(raw: Path, public: Path, private: Path, left_out: frozenset[str]) -> None:
    """Write train, without the sentences to be left out, and test with its answers."""
    gaps, answers = [HEADER], [HEADER]
    with packing(public / "train_v2.txt.zip", "train_v2.txt", level=1) as train:
        for kept, drawn in read_parts(raw):
            train.write("".join([line for line in kept if line not in left_out] if left_out else kept).encode())
            for sentence, place in drawn:
                text = sentence.strip().replace('"', '""')
                words = text.split()
                gaps.append(f'{len(gaps) - 1},"{" ".join(words[:place] + words[place + 1 :])}"\n')
                answers.append(f'{len(answers) - 1},"{text}"\n')
    with packing(public / "test_v2.txt.zip", "test_v2.txt", level=6) as test:
        test.write("".join(gaps).encode())
    private.joinpath("sample_submission.csv").write_bytes("".join(gaps).encode())
    private.joinpath("test.csv").write_bytes("".join(answers).encode())


def split(sentences: io.TextIOWrapper, count: int) -> Iterator[Parts]:
    """Yield train sentences and test sentences in blocks, the latter with the place of the word to remove.

    For each sentence a number is drawn, and for each test sentence right after it the place, all from one stream.
    """
    draws, rest = Draws(0), count
    drawn = draws.until_at_most(SHARE) - 1
    while rest and (block := sentences.readlines(BLOCK)[:rest]):
        kept, tested, first = [], [], 0
        while drawn < len(block):
            words = len(block[drawn].split())
            if words >= SHORTEST:
                kept += block[first:drawn]
                first = drawn + 1
                tested.append((block[drawn], 1 + draws.below(words - 2)))
            drawn += draws.until_at_most(SHARE)
        yield kept + block[first:], tested
        drawn, rest = drawn - len(block), rest - len(block)
    if rest:
        raise RawDataError(f"The file train_v2.txt has {count - rest} lines, but {count} are needed.")


def check(submission: pd.DataFrame) -> None:
    """In v1, a sentence that reads as missing or as a number leaves the submission without a score."""
    is_text = np.array([isinstance(cell, str) for cell in submission["sentence"].to_numpy()])
    if not is_text.all():
        id = submission["id"].iloc[int(is_text.argmin())]
        raise InvalidSubmissionError(f"The sentence of id {id} must be text, but it is missing or a number.")
