"""Notebooks of short steps; each text cell names the variable of the code cell after it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pandas as pd

from benchmarks.rehearsal.making import csv_bytes, hexadecimal_ids

if TYPE_CHECKING:
    import numpy as np

TRAIN, TEST = 110, 2
NAMES = "prices weights ages scores rooms trips votes seeds".split()
STEPS = ["{} = load('{}.csv')", "{0}.plot()  # {0}", "model.fit({0})  # {0}", "print(len({0}))  # {0}"]
SAYINGS = ["## Load {}", "A plot of {}", "Fit the model on {}", "How many {} are there?"]


def make(rng: np.random.Generator) -> dict[str, bytes]:
    ids = hexadecimal_ids(rng, TRAIN + TEST, 14)
    files, orders = {}, {}
    for number, id in enumerate(ids):
        part = "train" if number < TRAIN else "test"
        files[f"{part}/{id}.json"], orders[id] = make_notebook(rng)
    return {
        **files,
        "train_orders.csv": csv_bytes(table(orders, ids[:TRAIN])),
        "train_ancestors.csv": csv_bytes(make_families(rng, ids[:TRAIN])),
        "sample_submission.csv": csv_bytes(table(orders, ids[TRAIN:])),
        "rehearsal.json": json.dumps({"test_size": 12}).encode(),
    }


def table(orders: dict[str, list[str]], ids: list[str]) -> pd.DataFrame:
    return pd.DataFrame({"id": ids, "cell_order": [" ".join(orders[id]) for id in ids]})


def make_notebook(rng: np.random.Generator) -> tuple[bytes, list[str]]:
    """Return a notebook with its text cells after its code cells, and the correct order of its cells."""
    code, text = [], []
    order = []
    for name in rng.choice(NAMES, rng.integers(2, 4), replace=False).tolist():
        for step in range(rng.integers(1, 4)):
            both = hexadecimal_ids(rng, 2, 8)
            if step == 0 or rng.random() < 0.5:
                text.append((both[0], SAYINGS[step].format(name)))
                order.append(both[0])
            code.append((both[1], STEPS[step].format(name, name)))
            order.append(both[1])
    shuffled = [text[place] for place in rng.permutation(len(text))]
    kinds = {id: "code" for id, _ in code} | {id: "markdown" for id, _ in shuffled}
    content = {"cell_type": kinds, "source": dict([*code, *shuffled])}
    return json.dumps(content).encode(), order


def make_families(rng: np.random.Generator, ids: list[str]) -> pd.DataFrame:
    """Return a table in which a fifth of the notebooks are forks of an earlier or a missing notebook."""
    families, parents = [], []
    for number, family in enumerate(hexadecimal_ids(rng, len(ids), 8)):
        place = int(rng.integers(number)) if number and rng.random() < 0.2 else None
        families.append(family if place is None else families[place])
        parents.append(None if place is None else ids[place])
    parents[0] = hexadecimal_ids(rng, 1, 14)[0]
    return pd.DataFrame({"id": ids, "ancestor_id": families, "parent_id": parents})
