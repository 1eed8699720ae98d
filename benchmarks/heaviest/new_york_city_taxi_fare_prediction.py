"""Random rides."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from benchmarks.heaviest.facts import HEAVIEST
from benchmarks.heaviest.making import blocks, header, joined, padded, write_rows
from mlebench.preparation import read_rows

if TYPE_CHECKING:
    from pathlib import Path

START, END = 1_230_768_000, 1_435_708_799
PLACES = ("pickup_longitude", "pickup_latitude", "dropoff_longitude", "dropoff_latitude")
HALVES, LONG = 0.4, 0.08
"""Fractions of fares in half dollars, and of coordinates with the digits of a float32, which pandas reformats."""
NAMES = ("key", "fare_amount", "pickup_datetime", *PLACES, "passenger_count")


def make(raw: Path, scale: float) -> int:
    rng, rows = np.random.default_rng(0), int(HEAVIEST["new-york-city-taxi-fare-prediction"].rows * scale)
    with (raw / "train.csv").open("wb") as file:
        file.write(header(NAMES))
        for first, count in blocks(rows):
            times = pc.cast(pa.array(rng.integers(START, END, count), pa.timestamp("s")), pa.string())
            exact = rng.normal([-73.975, 40.751] * 2, 0.03, (count, 4))
            is_long = rng.random((count, 1)) < LONG
            places = np.where(is_long, exact.astype(np.float32), np.round(exact, 6))
            fare = 2.5 + rng.gamma(2, 4.5, count)
            columns = {
                "key": joined(times, ".", padded(np.arange(first, first + count) % 10**7, 7)),
                "fare_amount": np.where(rng.random(count) < HALVES, np.round(2 * fare) / 2, np.round(fare, 1)),
                "pickup_datetime": joined(times, " UTC"),
                **{name: places[:, place] for place, name in enumerate(PLACES)},
                "passenger_count": rng.integers(0, 7, count),
            }
            lacking = rng.random(count) < 1e-5
            columns |= {name: pa.array(columns[name], mask=lacking) for name in PLACES[2:]}
            write_rows(file, columns)
    (raw / "GCP-Coupons-Instructions.rtf").write_bytes(rb"{\rtf1}")
    return rows


def read(raw: Path) -> None:
    read_rows(raw / "train.csv")
