"""Rooms: each chain has its wall colour, each hotel its carpet and bed; photos of a session are the same picture."""

from __future__ import annotations

import numpy as np
import pandas as pd

from benchmarks.rehearsal.making import csv_bytes, hexadecimal_ids, picture_bytes

HOTELS, CHAINS, PHOTOS, TEST, PER_SESSION = 30, 6, 200, 3, 3
TWICE = "ce27d36c9147cc19.jpg"
GUESSES = [36363, 53586, 18807, 64314, 60181]


def make(rng: np.random.Generator) -> dict[str, bytes]:
    hotels = np.concatenate([GUESSES[:2], rng.choice(60_000, HOTELS - 2, replace=False)])
    chain = rng.integers(0, CHAINS, HOTELS)
    wall, carpet, bed = (rng.uniform(40, 240, (count, 3)) for count in (CHAINS, HOTELS, HOTELS))
    hotel = np.sort(rng.integers(0, HOTELS, PHOTOS))
    session = np.arange(PHOTOS) // PER_SESSION  # of one hotel, but for a few at the ends
    days, minutes = rng.integers(0, 3, PHOTOS), rng.integers(18 * 60, 23 * 60, PHOTOS)
    evening = pd.Timestamp("2019-01-01") + pd.to_timedelta(hotel * 11 + days[session], unit="D")
    time = evening + pd.to_timedelta(minutes[session] + np.arange(PHOTOS) % PER_SESSION, unit="min")
    images = [f"{name}.jpg" for name in hexadecimal_ids(rng, PHOTOS, digits=16)]
    photos = pd.DataFrame(
        {
            "image": images,
            "chain": chain[hotel],
            "hotel_id": hotels[hotel],
            "timestamp": time.strftime("%Y-%m-%d %H:%M:%S"),
        }
    )
    listed_twice = photos.iloc[[3, -3]].assign(image=TWICE)
    photos = pd.concat([photos, listed_twice]).sample(frac=1, random_state=int(rng.integers(2**31)))
    photos = photos.reset_index(drop=True)
    views = [rng.integers(2**31) for _ in range(PHOTOS)]
    data = {
        f"train_images/{chain[kind]}/{image}": make_photo(
            np.random.default_rng([views[part], kind]), wall[chain[kind]], carpet[kind], bed[kind]
        )
        for image, kind, part in zip(images, hotel, session, strict=True)
    }
    data |= {f"train_images/{row.chain}/{TWICE}": make_photo(rng, *wall[:3]) for row in listed_twice.itertuples()}
    tested = [f"{name}.jpg" for name in hexadecimal_ids(rng, TEST, digits=16)]
    data |= {f"test_images/{image}": make_photo(rng, *wall[:3]) for image in tested}
    sample = pd.DataFrame({"image": tested, "hotel_id": " ".join(map(str, GUESSES))})
    return {**data, "train.csv": csv_bytes(photos), "sample_submission.csv": csv_bytes(sample)}


def make_photo(rng: np.random.Generator, wall: np.ndarray, carpet: np.ndarray, bed: np.ndarray) -> bytes:
    """Return a wall over a carpet with a bed in front, from a random position and in random brightness."""
    y, x = np.mgrid[0:1:24j, 0:1:24j]
    picture = np.where((y < rng.uniform(0.4, 0.6))[..., np.newaxis], wall, carpet)
    left, top = rng.uniform(0.1, 0.5), rng.uniform(0.4, 0.5)
    on_bed = (x > left) & (x < left + 0.45) & (y > top) & (y < top + 0.35)
    picture = np.where(on_bed[..., np.newaxis], bed, picture)
    return picture_bytes(np.clip(picture * rng.uniform(0.85, 1.05), 0, 255), "JPEG", quality=20)
