"""Degradation of RNA molecules, base by base."""

from itertools import chain
from pathlib import Path

import numpy as np
import pandas as pd

from mlebench.errors import InvalidSubmissionError
from mlebench.metrics.regression import root_mean_squared_error
from mlebench.preparation import group_split, place_files, shuffle_rows, similar_groups, write_csv
from mlebench.tasks.matching import match_ids

ID = "id_seqpos"
TARGETS = ["reactivity", "deg_Mg_pH10", "deg_pH10", "deg_Mg_50C", "deg_50C"]
SCORED = ["reactivity", "deg_Mg_pH10", "deg_Mg_50C"]
DIGITS = "%.10f"
SIMILAR = 0.1
"""Edits per base up to which molecules are kept together."""


def prepare(raw: Path, public: Path, private: Path) -> None:
    molecules = pd.read_json(raw / "train.json", lines=True)
    reliable = molecules[molecules["SN_filter"] > 0]
    in_test = molecules.index.isin(reliable.sample(n=int(0.1 * len(molecules)), random_state=0).index)
    place_parts(molecules[~in_test], molecules[in_test], raw, public, private)


def prepare_v2(raw: Path, public: Path, private: Path) -> None:
    molecules = pd.read_json(raw / "train.json", lines=True)
    clusters = similar_groups(molecules["sequence"], SIMILAR)
    noisy = molecules["SN_filter"] <= 0
    train, test = group_split(molecules, clusters, int(0.1 * len(molecules)), keep_in_train=noisy)
    place_parts(train, shuffle_rows(test), raw, public, private)
    place_files(molecules["id"] + ".npy", raw / "bpps", public / "bpps")


def place_parts(train: pd.DataFrame, test: pd.DataFrame, raw: Path, public: Path, private: Path) -> None:
    known = pd.read_json(raw / "test.json", lines=True).columns
    train, test = (part.assign(index=range(len(part))) for part in (train, test))
    answers = base_by_base(test)
    train.to_json(public / "train.json", orient="records", lines=True)
    test[known].to_json(public / "test.json", orient="records", lines=True)
    write_csv(answers[[ID]].assign(**dict.fromkeys(TARGETS, 0.0)), public / "sample_submission.csv", DIGITS)
    write_csv(answers, private / "test.csv", DIGITS)


def base_by_base(molecules: pd.DataFrame) -> pd.DataFrame:
    """Return a row for each base of each molecule; at those behind the scored ones, the values are 0."""
    lengths, scored = (molecules[name].to_numpy() for name in ("seq_length", "seq_scored"))
    place = np.arange(lengths.sum()) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    keep = place < np.repeat(scored, lengths)
    ids = [f"{id}_{number}" for id, number in zip(np.repeat(molecules["id"], lengths), place, strict=True)]
    values = {}
    for name in TARGETS:
        values[name] = np.zeros(len(place))
        values[name][keep] = list(chain.from_iterable(molecules[name]))
    return pd.DataFrame({ID: ids, **values, "keep": keep})


def grade(submission: pd.DataFrame, answers: pd.DataFrame) -> float:
    """Score the rows that v1 picks: by their place in the submission, although it pairs them by their ids."""
    keep = answers["keep"].to_numpy()
    places = match_ids(submission[[ID]], answers[[ID]])
    by_id = np.argsort(answers[ID].to_numpy(dtype=object))
    submitted = by_id if places is None else places[by_id]
    truth = answers[SCORED].iloc[by_id[keep[by_id]]]
    return root_mean_squared_error(truth, numbers(submission, submitted[keep[submitted]]))


def grade_v2(submission: pd.DataFrame, answers: pd.DataFrame) -> float:
    keep = answers["keep"]
    return root_mean_squared_error(answers.loc[keep, SCORED], submission.loc[keep, SCORED])


def check(submission: pd.DataFrame) -> None:
    numbers(submission, np.arange(len(submission)))


def numbers(submission: pd.DataFrame, rows: np.ndarray) -> np.ndarray:
    """Return the scored columns at some rows, which must be finite; text elsewhere may have made text of a column."""
    try:
        values = submission[SCORED].iloc[rows].astype(object).to_numpy(dtype=float)
    except (OverflowError, TypeError, ValueError):
        values = np.array(np.nan)
    if not np.isfinite(values).all():
        raise InvalidSubmissionError("The values of scored bases must be finite numbers, none missing.")
    return values
