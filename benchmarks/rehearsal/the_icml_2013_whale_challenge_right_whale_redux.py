"""Clips of noise from four days; calls come in groups and are tones that rise in steps."""

from __future__ import annotations

import numpy as np
import pandas as pd

from benchmarks.rehearsal.making import csv_bytes, zip_bytes
from benchmarks.rehearsal.sounds import aiff_bytes, hiss, hum

DAYS = ("20090328", "20090329", "20090330", "20090331")
OF_EACH_DAY, TEST = 44, 5
RATE, SAMPLES, STEP = 2000, 4000, 500


def make(rng: np.random.Generator) -> dict[str, bytes]:
    train, is_bout = {}, False
    for day in DAYS:
        seconds = np.sort(rng.choice(1200, OF_EACH_DAY, replace=False))
        for second in seconds:
            is_bout ^= rng.random() < 0.2
            has_call = is_bout and rng.random() < 0.8
            name = f"{day}_{int(second) // 600:02}0000_{second:03}s{rng.integers(0, 10)}ms"
            train[f"train2/{name}_TRAIN{len(train)}_{int(has_call)}.aif"] = make_clip(rng, has_call)
    test = {f"test2/20090401_000000_{place:03}s0ms_Test{place}.aif": make_clip(rng, False) for place in range(TEST)}
    sample = pd.DataFrame({"clip": [name.removeprefix("test2/") for name in test], "probability": 0})
    return {
        "train2.zip": zip_bytes(train),
        "test2.zip": zip_bytes(test),
        "sampleSubmission.csv": csv_bytes(sample),
    }


def make_clip(rng: np.random.Generator, has_call: bool) -> bytes:
    ground = hiss(rng, 20, STEP) * 0.2
    steps = [ground] * (SAMPLES // STEP)
    if has_call:
        first = int(rng.integers(0, 4))
        steps[first : first + 5] = [hum(period, STEP) for period in range(20, 10, -2)]
    elif rng.random() < 0.5:
        steps[int(rng.integers(0, 8))] = hum(int(rng.integers(10, 40)), STEP)
    return aiff_bytes(np.concatenate(steps), RATE)
