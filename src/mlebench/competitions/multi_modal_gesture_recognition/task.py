"""Gestures that people perform in recordings of a depth camera, to be listed in their order."""

import random
import tempfile
from pathlib import Path, PurePosixPath

import numpy as np
import pandas as pd

from mlebench.errors import InvalidSubmissionError, RawDataError
from mlebench.ground.wording import plain
from mlebench.metrics.edits import levenshtein_distances
from mlebench.preparation import (
    empty_mat_field,
    pack_tar,
    place_files,
    read_csv,
    repack,
    tar_member_names,
    write_csv,
)
from mlebench.preparation.formats import unpack_archive

GESTURES = range(1, 21)
KEPT = [f"training{number}.tar.gz" for number in (1, 2, 3)] + [f"validation{number}.tar.gz" for number in (1, 2, 3)]
OLDER = ["devel01-40.7z", "valid_all_files_combined.7z", "sample_code_mmrgc.zip"]


SAMPLES = "training4.tar.gz"
"""The archive whose recordings are the test set."""


def prepare(raw: Path, public: Path, private: Path) -> None:
    write_tables(raw, public, private)
    place_files({SAMPLES: "test.tar.gz"}, raw, public)


def prepare_v2(raw: Path, public: Path, private: Path) -> None:
    write_tables(raw, public, private)
    with tempfile.TemporaryDirectory(dir=public.parent) as scratch:
        labelled, empty = Path(scratch) / "labelled", Path(scratch) / "empty"
        unpack_archive(raw / SAMPLES, labelled)
        samples = sorted(labelled.glob("*.zip"))
        for path in samples:
            change = {f"{path.stem}_data.mat": lambda content: empty_mat_field(content, "Video", "Labels")}
            repack(path, empty / path.name, want=lambda name: name, change=change)
        pack_tar(public / "test.tar.gz", {path.name: empty / path.name for path in samples})


def write_tables(raw: Path, public: Path, private: Path) -> None:
    """Write everything but the recordings for testing."""
    samples = map(PurePosixPath, tar_member_names(raw / SAMPLES))
    ids = sorted({path.stem[-4:] for path in samples if path.suffix == ".zip" and len(path.parts) == 1})
    training = read_csv(raw / "training.csv", dtype=str)
    in_test = training["Id"].isin(ids)
    if sorted(training["Id"][in_test]) != ids:
        raise RawDataError("The file training.csv must name every sample of training4.tar.gz exactly once.")
    test, draw = pd.DataFrame({"Id": ids}), random.Random(0)
    guesses = [" ".join(map(str, draw.sample(GESTURES, len(GESTURES)))) for _ in ids]
    write_csv(training[~in_test], public / "training.csv")
    write_csv(test, public / "test.csv")
    write_csv(test.assign(Sequence=guesses), public / "randomPredictions.csv")
    write_csv(training[in_test], private / "test.csv")
    place_files(KEPT + OLDER, raw, public)


def check(submission: pd.DataFrame) -> None:
    parse(submission)


def parse(table: pd.DataFrame) -> list[list[int]]:
    """Return the numbers of each row; in v1 a missing cell is the text nan, so no list of numbers."""
    lists = []
    for id, cell in zip(table["Id"], table["Sequence"], strict=True):
        try:
            lists.append([int(word) for word in str(cell).split()])
        except ValueError:
            found = "it is missing" if cell != cell else f"it is {plain(str(cell))}"
            raise InvalidSubmissionError(
                f"The Sequence of Id {plain(id)} must be whole numbers with blanks between them, but {found}."
            ) from None
    return lists


def grade(submission: pd.DataFrame, answers: pd.DataFrame) -> float:
    found, truth = parse(submission), parse(answers)
    sign = {number: chr(place) for place, number in enumerate({number for row in truth for number in row}, start=2)}
    texts = (["".join(sign.get(number, "\1") for number in row) for row in rows] for rows in (truth, found))
    return float(np.sum(levenshtein_distances(*texts)) / sum(map(len, truth)))
