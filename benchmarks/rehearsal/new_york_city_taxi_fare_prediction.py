"""Rides within a city: the fare grows with the distance, some rows are invalid, and some rides occur twice."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd

from benchmarks.rehearsal.making import csv_bytes

TRAIN, TEST, PREPARED_TEST, REPEATED = 300, 20, 40, 60
PLACES = ["pickup_longitude", "pickup_latitude", "dropoff_longitude", "dropoff_latitude"]


def make(rng: np.random.Generator) -> dict[str, bytes]:
    rides = make_rides(rng, TRAIN + TEST)
    first, second = rng.permutation(TRAIN)[: 2 * REPEATED].reshape(2, -1)
    same = ["fare_amount", "pickup_datetime", *PLACES]
    rides.loc[second, same] = rides.loc[first, same].to_numpy()
    test = rides.iloc[TRAIN:].drop(columns="fare_amount")
    return {
        "train.csv": csv_bytes(rides.iloc[:TRAIN]),
        "test.csv": csv_bytes(test),
        "sample_submission.csv": csv_bytes(test[["key"]].assign(fare_amount=11.35)),
        "GCP-Coupons-Instructions.rtf": rb"{\rtf1 How to get coupons.}",
        "rehearsal.json": json.dumps({"test_size": PREPARED_TEST}).encode(),
    }


def make_rides(rng: np.random.Generator, rows: int) -> pd.DataFrame:
    start, end = pd.Timestamp("2009-01-01"), pd.Timestamp("2015-06-30")
    times = start + pd.to_timedelta(rng.integers(0, int((end - start).total_seconds()), rows), unit="s")
    text = times.strftime("%Y-%m-%d %H:%M:%S")
    pickup = rng.normal([-73.975, 40.751], 0.03, (rows, 2))
    dropoff = pickup + rng.normal(0, 0.025, (rows, 2))
    kilometres = np.hypot(*((dropoff - pickup) * [84, 111]).T)
    fare = 2.5 + (1.6 + 0.1 * (times.year - 2009)) * kilometres + rng.exponential(1.5, rows)
    places = np.round(np.hstack([pickup, dropoff]), 6)
    places[rng.random(rows) < 0.02] = 0
    rides = pd.DataFrame(
        {
            "key": [f"{time}.{number:07}" for number, time in enumerate(text, start=1)],
            "fare_amount": np.round(fare, 1),
            "pickup_datetime": text + " UTC",
            **{name: places[:, column] for column, name in enumerate(PLACES)},
            "passenger_count": rng.choice([0, 1, 2, 3, 4, 5, 6], rows, p=[0.01, 0.69, 0.15, 0.04, 0.02, 0.07, 0.02]),
        }
    )
    rides.loc[rng.random(rows) < 0.01, PLACES[2:]] = np.nan
    return rides
