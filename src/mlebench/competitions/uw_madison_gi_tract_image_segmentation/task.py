"""Stomach and intestines on slices of MRI scans, several days a patient."""

from pathlib import Path

import numpy as np
import pandas as pd

from mlebench.errors import InvalidSubmissionError, RawDataError
from mlebench.metrics.segmentation import LARGEST_PICTURE, Runs, decode_masks
from mlebench.metrics.volumes import hausdorff_distance
from mlebench.preparation import draw_groups, place_files, place_tree, read_csv, write_csv

Volume = tuple[tuple[int, ...], np.ndarray, np.ndarray]
DAYS_IN_TRAIN = 4
MOST_TIMES = 10
"""A prediction with more voxels than so many times the truth's is as far away as can be."""


def prepare(raw: Path, public: Path, private: Path) -> None:
    masks = read_csv(raw / "train.csv")
    parts = masks["id"].str.split("_", expand=True)
    case, day = parts[0], parts[0] + "_" + parts[1]
    number = parts[1].str.removeprefix("day").astype(int)
    is_late = number.groupby(case).rank(method="dense") > DAYS_IN_TRAIN
    in_test = draw_groups(case, test_size=0.1, seed=42) | is_late
    train, test = masks[~in_test], masks[in_test]
    write_csv(train, public / "train.csv")
    write_csv(test[["id", "class"]], public / "test.csv")
    write_csv(test[["id", "class"]].assign(predicted="1 1 5 2"), public / "sample_submission.csv")

    tested_cases, tested_days = set(case) - set(case[~in_test]), set(day[in_test])
    for name in case.unique():
        for path in (raw / "train" / name).iterdir():
            part = public / ("test" if name in tested_cases or path.name in tested_days else "train") / name
            if path.is_dir():
                place_tree(path, part / path.name)
            else:
                place_files([path.name], path.parent, part)

    answers = test.rename(columns={"segmentation": "predicted"})
    sizes = pd.concat([sizes_of(public / "test" / name.split("_")[0] / name) for name in tested_days])
    answers = answers.join(sizes, on="id")
    if answers["image_width"].isna().any() or len(answers) != len(test):
        raise RawDataError("The raw data must have exactly one picture for each slice of train.csv.")
    write_csv(answers, private / "test.csv")


def sizes_of(folder: Path) -> pd.DataFrame:
    """Return width and height of a day's slices, which stand in the names of their pictures."""
    fields = [path.stem.split("_") for path in (folder / "scans").glob("slice_*.png")]
    ids = [f"{folder.name}_slice_{field[1]}" for field in fields]
    sizes = [(float(field[2]), float(field[3])) for field in fields]
    return pd.DataFrame(sizes, index=ids, columns=["image_width", "image_height"])


def grade(submission: pd.DataFrame, answers: pd.DataFrame) -> float:
    """Return a mean of overlap and distance.

    In v1, rows are paired by their place. Those that only one side has are left out of the overlap. The distance leaves
    out surplus rows of the submission, but not those of the answers.
    """
    rows = min(len(submission), len(answers))
    submission = submission[:rows]
    shapes = answers[["image_height", "image_width"]].to_numpy().astype(int)
    prediction = decode(submission, shapes[:rows].prod(axis=1))
    truth = decode(answers, shapes.prod(axis=1))
    days = zip(stack(submission["id"], prediction, shapes[:rows]), stack(answers["id"], truth, shapes), strict=False)
    distance = np.array([normalized_distance(*pair) for pair in days])
    return combine(decode(answers[:rows], shapes[:rows].prod(axis=1)), prediction, distance)


def grade_v2(submission: pd.DataFrame, answers: pd.DataFrame) -> float:
    """Return a mean of overlap and distance, with a volume for each class of a day.

    Runs go along the rows of a picture: down the columns of the transposed one, whose shape is width and height.
    """
    names = answers["class"] + " " + answers["id"]
    shapes = answers[["image_width", "image_height"]].to_numpy().astype(int)
    truth, prediction = (decode(masks, shapes.prod(axis=1), strict=True) for masks in (answers, submission))
    volumes = zip(stack(names, prediction, shapes), stack(names, truth, shapes), strict=True)
    return combine(truth, prediction, np.array([normalized_distance(*pair) for pair in volumes]))


def combine(truth: Runs, prediction: Runs, distance: np.ndarray) -> float:
    with np.errstate(invalid="ignore"):
        dice = 2 * truth.overlaps(prediction) / (truth.areas + prediction.areas)
        means = [np.nansum(terms) / np.count_nonzero(~np.isnan(terms)) for terms in (dice, distance)]
    return float(0.4 * means[0] + 0.6 * (1 - means[1]))


def check(submission: pd.DataFrame) -> None:
    decode(submission, LARGEST_PICTURE)


def check_v2(submission: pd.DataFrame) -> None:
    decode(submission, LARGEST_PICTURE, strict=True)


def decode(masks: pd.DataFrame, pixels: np.ndarray | int, *, strict: bool = False) -> Runs:
    codes = masks["predicted"].astype(object).where(masks["predicted"].notna(), "")
    return decode_masks(masks["id"], codes, pixels, strict=strict)


def stack(ids: pd.Series, masks: Runs, shapes: np.ndarray) -> list[Volume]:
    """Stack slices to a volume for each day: its shape, and its runs of voxels with all classes taken together.

    Days and slices are sorted by their ids, and rows of the same id make one slice.
    """
    if not all(isinstance(id, str) for id in ids):
        raise InvalidSubmissionError("The column 'id' must hold text, without numbers and gaps.")
    names, name = np.unique(ids.to_numpy(dtype=object), return_inverse=True)
    day, days = pd.factorize(np.array([id.split("_slice_")[0] for id in names], dtype=object))
    place = pd.Series(day).groupby(day).cumcount().to_numpy()
    shape = np.zeros((len(days), 2), dtype=int)
    shape[day[name]] = shapes
    if (shape[day[name]] != shapes).any():
        raise InvalidSubmissionError("Rows are out of order, so that pictures of different sizes come together.")
    offset = place[name] * shapes.prod(axis=1)
    day_of_run = day[name[masks.mask]]
    order = np.argsort(day_of_run, kind="stable")
    ends = np.searchsorted(day_of_run, np.arange(len(days)), side="right", sorter=order)
    volumes = []
    for depth, sides, chosen in zip(np.bincount(day), shape, np.split(order, ends), strict=False):
        above = offset[masks.mask[chosen]]
        runs = unite(masks.start[chosen] + above, masks.stop[chosen] + above)
        volumes.append(((int(depth), *sides.tolist()), *runs))
    return volumes


def unite(start: np.ndarray, stop: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return runs that neither overlap nor touch, in ascending order, and hold the same voxels."""
    order = np.argsort(start)
    start, reach = start[order], np.maximum.accumulate(stop[order])
    begins = np.flatnonzero(np.concatenate([[True], start[1:] > reach[:-1]])[: len(start)])
    ends = np.append(begins[1:], len(start)) - 1
    return start[begins], reach[ends[: len(begins)]]


def normalized_distance(prediction: Volume, truth: Volume) -> float:
    """Return the Hausdorff distance in a volume with sides of 1, over its diagonal; NaN if both are empty."""
    predicted, true = ((stop - start).sum() for _, start, stop in (prediction, truth))
    if not predicted and not true:
        return float("nan")
    if not predicted or not true or predicted > MOST_TIMES * true:
        return 1.0
    return hausdorff_distance(voxels(*prediction), voxels(*truth), unit=truth[0]) / 3**0.5


def voxels(shape: tuple[int, ...], start: np.ndarray, stop: np.ndarray) -> np.ndarray:
    """Return slice, row and column of each voxel; runs go down the columns."""
    length = stop - start
    number = np.arange(length.sum()) + np.repeat(start - np.cumsum(length) + length, length)
    depth, height, width = shape
    slice_, column, row = np.unravel_index(number, (depth, width, height))
    return np.stack([slice_, row, column]).T
