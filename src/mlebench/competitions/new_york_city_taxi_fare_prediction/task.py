"""The fare of a taxi ride from time, places and passengers."""

from pathlib import Path

import numpy as np
import pandas as pd

from mlebench.preparation import fixed_count, place_files, read_rows, split_positions, write_csv
from mlebench.preparation.rows import Rows

RIDE = ["pickup_datetime", "pickup_longitude", "pickup_latitude", "dropoff_longitude", "dropoff_latitude"]
BLOCK = 2**20
"""Rides that are compared at a time."""


def prepare(raw: Path, public: Path, private: Path) -> None:
    rides, train, test = split_rides(raw)
    rides.take(train).write(public / "labels.csv")  # the training data, under this name in v1
    write_test(rides.take(test), raw, public, private)


def prepare_v2(raw: Path, public: Path, private: Path) -> None:
    rides, train, test = split_rides(raw)
    repeated = find_rides(rides, rides.take(test).frame(RIDE))
    rides.take(train[~np.isin(train, repeated)]).write(public / "train.csv")
    write_test(rides.take(test), raw, public, private)


def split_rides(raw: Path) -> tuple[Rows, np.ndarray, np.ndarray]:
    """Return all rides, and the positions of those of train and of test."""
    rides = read_rows(raw / "train.csv")
    return rides, *split_positions(len(rides), fixed_count(raw, "test_size", 9914))


def find_rides(rides: Rows, wanted: pd.DataFrame) -> np.ndarray:
    """Return the positions of the rides with the time and the places of a wanted one, block by block."""
    keys, found = pd.MultiIndex.from_frame(wanted), []
    for first in range(0, len(rides), BLOCK):
        block = rides.take(np.arange(first, min(first + BLOCK, len(rides)))).frame(RIDE)
        alike = np.flatnonzero(np.logical_and.reduce([block[name].isin(wanted[name]) for name in RIDE]))
        found.append(first + alike[pd.MultiIndex.from_frame(block.iloc[alike]).isin(keys)])
    return np.concatenate(found)


def write_test(test: Rows, raw: Path, public: Path, private: Path) -> None:
    test.write(public / "test.csv", drop=["fare_amount"])
    test.write(private / "test.csv")
    write_csv(test.frame(["key"]).assign(fare_amount=11.35), public / "sample_submission.csv")
    place_files(["GCP-Coupons-Instructions.rtf"], raw, public)
