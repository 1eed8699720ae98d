"""Passengers who travel in groups, which share a fate: that of sleepers and those who spend little is better."""

from __future__ import annotations

import numpy as np
import pandas as pd

from benchmarks.rehearsal.making import csv_bytes

TRAIN, TEST = 300, 40
BILLS = ["RoomService", "FoodCourt", "ShoppingMall", "Spa", "VRDeck"]
FIRST = [
    "Anda",
    "Bero",
    "Cilu",
    "Dorin",
    "Esta",
    "Fenno",
    "Gali",
    "Hesk",
    "Ino",
    "Jarra",
    "Kelu",
    "Lomo",
    "Nox",
]
LAST = [
    "Ambel",
    "Brask",
    "Corvin",
    "Dastel",
    "Elmor",
    "Frennt",
    "Golder",
    "Hossun",
    "Imbral",
    "Kolvar",
    "Lunnet",
]


def make(rng: np.random.Generator) -> dict[str, bytes]:
    passengers = make_passengers(rng, TRAIN + TEST)
    test = passengers.iloc[TRAIN:].drop(columns="Transported")
    return {
        "train.csv": csv_bytes(passengers.iloc[:TRAIN]),
        "test.csv": csv_bytes(test),
        "sample_submission.csv": csv_bytes(test[["PassengerId"]].assign(Transported=False)),
    }


def make_passengers(rng: np.random.Generator, rows: int) -> pd.DataFrame:
    new_group = rng.random(rows) < 0.7
    new_group[0] = True
    group = np.cumsum(new_group)
    number = np.arange(rows) - np.maximum.accumulate(np.where(new_group, np.arange(rows), 0)) + 1

    def per_group(values: np.ndarray) -> np.ndarray:
        return values[group - 1]

    home = per_group(rng.choice(["Earth", "Europa", "Mars"], rows, p=[0.54, 0.25, 0.21]))
    deck = per_group(rng.choice(list("ABCDEFG"), rows, p=[0.03, 0.09, 0.09, 0.06, 0.1, 0.33, 0.3]))
    side = per_group(rng.choice(["P", "S"], rows))
    family = per_group(rng.choice(LAST, rows))
    asleep = rng.random(rows) < 0.36
    spends = ~asleep & (rng.random(rows) < 0.8)
    bills = np.round(rng.lognormal(5, 1.6, (rows, len(BILLS)))) * (rng.random((rows, len(BILLS))) < 0.6)
    bills *= spends[:, np.newaxis]
    luxury = bills[:, [0, 3, 4]].sum(axis=1)

    logit = 2.6 * asleep + 0.9 * (home == "Europa") + 0.7 * (side == "S") - 0.35 * np.log1p(luxury)
    fate = rng.random(rows) < 1 / (1 + np.exp(-(logit - np.quantile(logit, 0.55))))
    frame = pd.DataFrame(
        {
            "PassengerId": [f"{g:04}_{n:02}" for g, n in zip(group, number, strict=True)],
            "HomePlanet": home,
            "CryoSleep": asleep,
            "Cabin": [f"{d}/{g}/{s}" for d, g, s in zip(deck, group, side, strict=True)],
            "Destination": rng.choice(["TRAPPIST-1e", "PSO J318.5-22", "55 Cancri e"], rows, p=[0.69, 0.1, 0.21]),
            "Age": np.clip(np.round(rng.normal(29, 14, rows)), 0, 79) + 0.0,  # no -0.0
            "VIP": rng.random(rows) < 0.03,
            **{name: bills[:, place] for place, name in enumerate(BILLS)},
            "Name": [f"{rng.choice(FIRST)} {name}" for name in family],
            "Transported": fate[new_group][group - 1],
        }
    )
    features = [name for name in frame.columns if name not in ("PassengerId", "Transported")]
    return frame.astype(dict.fromkeys(features, object)).mask(missing_cells(rng, frame, features))


def missing_cells(rng: np.random.Generator, frame: pd.DataFrame, features: list[str]) -> pd.DataFrame:
    """Return which cells are left blank: 2 % of the features, as in the real data."""
    return pd.DataFrame({name: (rng.random(len(frame)) < 0.02) & (name in features) for name in frame.columns})
