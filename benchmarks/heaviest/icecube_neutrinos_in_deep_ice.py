"""Events with random directions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
from pyarrow import parquet

from benchmarks.heaviest.facts import HEAVIEST
from mlebench.preparation import read_parquet_chunks

if TYPE_CHECKING:
    from pathlib import Path

BATCHES = 660
NAMES = ["batch_id", "event_id", "first_pulse_index", "last_pulse_index", "azimuth", "zenith"]


def make(raw: Path, scale: float) -> int:
    rng = np.random.default_rng(0)
    size = max(1, int(HEAVIEST["icecube-neutrinos-in-deep-ice"].rows * scale) // BATCHES)
    kinds = pa.schema([(name, pa.float64() if name in ("azimuth", "zenith") else pa.int64()) for name in NAMES])
    (raw / "train").mkdir()
    last = 0
    with parquet.ParquetWriter(raw / "train_meta.parquet", kinds) as writer:
        for batch in range(1, BATCHES + 1):
            events = last + np.cumsum(rng.integers(1, 31, size))
            ends = np.cumsum(rng.integers(20, 250, size))
            last = int(events[-1])
            columns = [
                np.full(size, batch),
                events,
                np.concatenate([[0], ends[:-1]]),
                ends - 1,
                rng.uniform(0, 2 * np.pi, size),
                np.arccos(rng.uniform(-1, 1, size)),
            ]
            writer.write_table(pa.table(columns, schema=kinds))
            (raw / "train" / f"batch_{batch}.parquet").touch()
    (raw / "sensor_geometry.csv").write_text("sensor_id,x,y,z\n")
    return size * BATCHES


def read(raw: Path) -> None:
    for _ in read_parquet_chunks(raw / "train_meta.parquet", NAMES):
        pass
