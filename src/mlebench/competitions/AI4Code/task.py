"""The order of the cells of a notebook, of which the text cells were shuffled."""

import json
from pathlib import Path

import numpy as np
import pandas as pd

from mlebench.errors import InvalidSubmissionError, RawDataError
from mlebench.metrics.ranking import count_inversions
from mlebench.preparation import fixed_count, place_files, read_csv, shuffle_rows, split_positions, write_csv


def prepare(raw: Path, public: Path, private: Path) -> None:
    notebooks = read_notebooks(raw)
    in_test = fill_with_families(notebooks["ancestor_id"], fixed_count(raw, "test_size", 20_000))
    place_notebooks(notebooks[~in_test], notebooks[in_test], raw, public, private)


def prepare_v2(raw: Path, public: Path, private: Path) -> None:
    """Draw families, each as likely as the others, where v1 draws notebooks with their families."""
    notebooks = read_notebooks(raw)
    by_family = notebooks.sort_values("ancestor_id")
    by_family = shuffle_rows(by_family, groups=by_family["ancestor_id"])
    drawn = fill_with_families(by_family["ancestor_id"], fixed_count(raw, "test_size", 20_000))
    in_test = notebooks["id"].isin(by_family["id"][drawn])
    place_notebooks(notebooks[~in_test], notebooks[in_test], raw, public, private)


def read_notebooks(raw: Path) -> pd.DataFrame:
    """Return the table of families, in random order."""
    notebooks = read_csv(raw / "train_ancestors.csv")
    return notebooks.iloc[split_positions(len(notebooks), 0)[0]]


def place_notebooks(train: pd.DataFrame, test: pd.DataFrame, raw: Path, public: Path, private: Path) -> None:
    orders = read_csv(raw / "train_orders.csv")
    answers = orders[orders["id"].isin(test["id"])]
    write_csv(train, public / "train_ancestors.csv")
    write_csv(orders[orders["id"].isin(train["id"])], public / "train_orders.csv")
    write_csv(answers, private / "test_orders.csv")
    for part, rows in (("train", train), ("test", test)):
        place_files(rows["id"] + ".json", raw / "train", public / part)
    shown = [" ".join(json.loads((public / f"test/{id}.json").read_bytes())["cell_type"]) for id in answers["id"]]
    write_csv(answers.assign(cell_order=shown), public / "sample_submission.csv")


def fill_with_families(families: pd.Series, size: int) -> np.ndarray:
    """Return which rows are for testing: whole families, in order of first appearance, each that still fits in."""
    codes, names = families.factorize()
    chosen, room = np.zeros(len(names), dtype=bool), size
    for family, members in enumerate(np.bincount(codes).tolist()):
        if members <= room:
            chosen[family] = True
            room -= members
    if room:
        raise RawDataError(f"No families of notebooks make up {size} for testing; {room} would be lacking.")
    return np.asarray(chosen[codes])


def check(submission: pd.DataFrame, reference: pd.DataFrame) -> None:
    places(submission, reference)


def grade(submission: pd.DataFrame, answers: pd.DataFrame) -> float:
    """One minus the share of pairs of cells in the wrong order times 2, over all notebooks at once."""
    ordered = places(submission, answers)
    sizes = np.array([len(cells) for cells in ordered])
    swaps = count_inversions(np.concatenate(ordered), np.repeat(np.arange(len(sizes)), sizes))
    return 1 - 4 * swaps / int((sizes * (sizes - 1)).sum())


def places(submission: pd.DataFrame, reference: pd.DataFrame) -> list[list[int]]:
    """Return for each notebook the places of its cells in the reference, in the order of the submission."""
    found = []
    orders = (frame["cell_order"].to_numpy(dtype=object) for frame in (submission, reference))
    for row, (text, known) in enumerate(zip(*orders, strict=True)):
        cells = str(known).split()
        place = dict(zip(cells, range(len(cells)), strict=True))
        order = [place.get(cell, -1) for cell in str(text).split()]
        if len(order) != len(place) or len(place) != len(set(order)) or -1 in order:
            id = submission["id"].iloc[row]
            raise InvalidSubmissionError(f"The cell_order of {id} must hold each of its {len(place)} cells once.")
        found.append(order)
    return found
