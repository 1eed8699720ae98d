"""Events that pass a small detector as a plane wave, so that the times of their pulses determine the direction."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd

from benchmarks.rehearsal.formats import parquet_bytes
from benchmarks.rehearsal.making import csv_bytes

TRAIN, TEST, V2_TEST, EVENTS, PULSES = 12, 1, 1, 14, 8
SIDE = 4
SPEED = 0.3
"""Metres per nanosecond."""


def make(rng: np.random.Generator) -> dict[str, bytes]:
    grid = np.stack(np.meshgrid(*[np.linspace(-450, 450, SIDE)] * 3, indexing="ij"), axis=-1).reshape(-1, 3)
    sensors = pd.DataFrame(grid.round(2), columns=["x", "y", "z"])
    sensors.insert(0, "sensor_id", np.arange(len(sensors)))
    files = {
        "sensor_geometry.csv": csv_bytes(sensors),
        "rehearsal.json": json.dumps({"test_batches": V2_TEST}).encode(),
    }
    meta = []
    ids = np.sort(rng.choice(2 * 10**9, (TRAIN + TEST) * EVENTS, replace=False)).reshape(-1, EVENTS)
    for number, events in enumerate(ids, start=1):
        azimuth, zenith = rng.uniform(0, 2 * np.pi, EVENTS), np.arccos(rng.uniform(-1, 1, EVENTS))
        counts = PULSES + rng.integers(0, 3, EVENTS)
        ends = np.cumsum(counts)
        columns = [np.full(EVENTS, number), events, ends - counts, ends - 1, azimuth, zenith]
        meta.append(columns)
        part = "train" if number <= TRAIN else "test"
        event = np.repeat(np.arange(EVENTS), counts)
        pulses = make_pulses(rng, grid, directions(azimuth, zenith)[event])
        files[f"{part}/batch_{number}.parquet"] = parquet_bytes({"event_id": events[event], **pulses})
    names = ["batch_id", "event_id", "first_pulse_index", "last_pulse_index", "azimuth", "zenith"]
    known, hidden = (
        dict(zip(names, map(np.concatenate, zip(*rows, strict=True)), strict=True))
        for rows in (meta[:TRAIN], meta[TRAIN:])
    )
    ones = np.ones(EVENTS * TEST)
    return {
        **files,
        "train_meta.parquet": parquet_bytes(known),
        "test_meta.parquet": parquet_bytes({name: hidden[name] for name in names[:4]}),
        "sample_submission.parquet": parquet_bytes({"event_id": hidden["event_id"], "azimuth": ones, "zenith": ones}),
    }


def directions(azimuth: np.ndarray, zenith: np.ndarray) -> np.ndarray:
    """Return unit vectors towards the origins of particles, of shape (events, 3)."""
    return np.column_stack([np.cos(azimuth) * np.sin(zenith), np.sin(azimuth) * np.sin(zenith), np.cos(zenith)])


def make_pulses(rng: np.random.Generator, grid: np.ndarray, origin: np.ndarray) -> dict[str, np.ndarray]:
    sensor = rng.integers(0, len(grid), len(origin))
    noisy = rng.random(len(origin)) < 0.15
    wave = -(grid[sensor] * origin).sum(axis=1) / SPEED
    time = 8_000 + np.where(noisy, rng.uniform(-3_000, 3_000, len(origin)), wave + rng.normal(0, 50, len(origin)))
    charge = np.clip(rng.gamma(2, 0.5, len(origin)), 0.1, None).round(2).astype(np.float32)
    return {
        "time": time.round().astype(np.int64),
        "sensor_id": sensor.astype(np.int32),
        "charge": charge,
        "auxiliary": noisy,
    }
