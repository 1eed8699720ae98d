"""Random purchases of each day."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from benchmarks.heaviest.facts import HEAVIEST
from benchmarks.heaviest.making import blocks, header, hexadecimal, padded, write_rows, write_table
from mlebench.ground.tables import read_csv

if TYPE_CHECKING:
    from pathlib import Path

    import pandas as pd

    from mlebench.tasks.competition import Competition

CUSTOMERS, ARTICLES, DAYS, PRICES, PREDICTED = 1_371_980, 105_542, 734, 9_857, 12
FIRST_DAY = "2018-09-20"
NAMES = ("t_dat", "customer_id", "article_id", "price", "sales_channel_id")
GUESS = "706016001 706016002 372860001 610776002"


def make(raw: Path, scale: float) -> int:
    rng, rows = np.random.default_rng(0), int(HEAVIEST["h-and-m-personalized-fashion-recommendations"].rows * scale)
    customers = hexadecimal(rng, int(CUSTOMERS * scale), 64)
    articles = padded(np.sort(rng.choice(850_000_000, int(ARTICLES * scale), replace=False)) + 108_775_015, 10)
    days = pc.cast(pa.array(np.datetime64(FIRST_DAY) + np.arange(DAYS)), pa.string())
    with (raw / "transactions_train.csv").open("wb") as file:
        file.write(header(NAMES))
        for first, count in blocks(rows):
            columns = {
                "t_dat": days.take(pa.array(np.arange(first, first + count) * DAYS // rows)),
                "customer_id": customers.take(pa.array(rng.integers(0, len(customers), count))),
                "article_id": articles.take(pa.array((len(articles) * rng.random(count) ** 3).astype(int))),
                "price": rng.integers(1, PRICES, count) / 59 / 1000,
                "sales_channel_id": rng.integers(1, 3, count),
            }
            write_rows(file, columns)
    write_table(raw / "articles.csv", {"article_id": articles})
    write_table(raw / "customers.csv", {"customer_id": customers})
    sample = pa.array([GUESS]).take(pa.array(np.zeros(len(customers), dtype=int)))
    write_table(raw / "sample_submission.csv", {"customer_id": customers, "prediction": sample})
    for article in articles.to_pylist():
        folder = raw / "images" / article[:3]
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{article}.jpg").touch()
    return rows


def read(raw: Path) -> None:
    with (raw / "transactions_train.csv").open("rb") as file:
        while file.readlines(2**24):
            pass


def predict(competition: Competition) -> pd.DataFrame:
    """Return the sample submission, with bought and other articles for the customers who bought something."""
    sample, bought = (read_csv(path) for path in (competition.sample_submission, competition.answers))
    found = bought.set_index("customer_id")["prediction"].str.split().str[: PREDICTED - 4].str.join(" ")
    beside = sample["customer_id"].map(found + " " + GUESS)
    return sample.assign(prediction=beside.fillna(sample["prediction"]))
