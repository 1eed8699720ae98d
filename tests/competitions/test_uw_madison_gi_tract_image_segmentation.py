"""The score of v2 from whole volumes, and what v1 leaves out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from scipy.spatial.distance import directed_hausdorff

from mlebench.ground.tables import read_csv

if TYPE_CHECKING:
    import pandas as pd

ID = "uw-madison-gi-tract-image-segmentation"


def volumes(codes: pd.Series, answers: pd.DataFrame) -> list[np.ndarray]:
    """Return the volume of each class of each day, in the order of their names."""
    slices: dict[tuple[str, str], dict[str, np.ndarray]] = {}
    for code, row in zip(codes, answers.to_dict("records"), strict=True):
        pixels = np.zeros(int(row["image_height"]) * int(row["image_width"]), dtype=bool)
        numbers = [int(word) for word in code.split()]
        for start, length in zip(numbers[::2], numbers[1::2], strict=True):
            pixels[start - 1 : start - 1 + length] = True
        picture = pixels.reshape(int(row["image_height"]), int(row["image_width"]))
        slices.setdefault((row["class"], row["id"].split("_slice_")[0]), {})[row["id"]] = picture
    return [np.stack([slices[key][id] for id in sorted(slices[key])]) for key in sorted(slices)]


def distance(wanted: np.ndarray, given: np.ndarray) -> float:
    if not wanted.any() or not given.any() or given.sum() > 10 * wanted.sum():
        return 1.0
    places = [np.argwhere(side) / wanted.shape for side in (wanted, given)]
    return max(directed_hausdorff(*way)[0] for way in (places, places[::-1])) / 3**0.5


def expected(codes: pd.Series, answers: pd.DataFrame) -> float:
    pairs = list(zip(volumes(answers["predicted"], answers), volumes(codes, answers), strict=True))
    rows = [row for pair in pairs for row in zip(*pair, strict=True)]
    dice = [2 * (true & found).sum() / (true.sum() + found.sum()) for true, found in rows if (true | found).any()]
    distances = [distance(*pair) for pair in pairs if pair[0].any() or pair[1].any()]
    return float(0.4 * np.mean(dice) + 0.6 * (1 - np.mean(distances)))


def some_masks(answers: pd.DataFrame, rng: np.random.Generator) -> pd.DataFrame:
    """Return the true masks, of which some are empty, moved, or those of other rows."""
    codes = answers["predicted"].to_numpy(dtype=object, copy=True)
    for row in np.flatnonzero(rng.random(len(codes)) < 0.6):
        first = codes[row].split()[:2]
        codes[row] = rng.choice(["", f"{int(first[0]) + 3} {first[1]}" if first else "", rng.choice(codes)])
    return answers[["id", "class"]].assign(predicted=codes)


@pytest.fixture
def task(prepared):
    return prepared(f"{ID}@v2")


@pytest.fixture
def answers(task):
    return read_csv(task.answers, text=["predicted"])


def test_the_score_is_that_of_whole_volumes(task, answers, seed):
    assert (answers["image_height"] * answers["image_width"] == 24 * 24).all()
    answers = answers.assign(image_height=18, image_width=32)  # so that the direction of runs matters
    rng = np.random.default_rng(seed)
    for _ in range(5):
        found = some_masks(answers, rng)
        assert task.grader.score(found, answers) == pytest.approx(expected(found["predicted"], answers))


def test_the_order_of_rows_does_not_matter(task, answers):
    found = some_masks(answers, np.random.default_rng(0))
    assert task.grader.score(found[::-1], answers) == task.grader.score(found, answers)


def test_only_v1_gives_the_full_distance_to_masks_of_another_class(task, prepared, answers):
    classes = answers["class"].map({"large_bowel": "small_bowel", "small_bowel": "stomach", "stomach": "large_bowel"})
    swapped = answers[["id"]].assign(predicted=answers["predicted"], **{"class": classes})
    swapped = answers[["id", "class"]].merge(swapped, on=["id", "class"])
    overlap = 0.4 * task.grader.score(answers, answers)
    assert prepared(ID).grader.score(swapped, answers) == pytest.approx(0.6, abs=0.02)
    assert task.grader.score(swapped, answers) < 0.6 - 0.1 < 1 - overlap
