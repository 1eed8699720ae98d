"""Recordings of noise and waves; their frequency depends on the kind of activity, and votes scatter around it."""

from __future__ import annotations

import numpy as np
import pandas as pd

from benchmarks.rehearsal.formats import parquet_bytes
from benchmarks.rehearsal.making import csv_bytes, picture_bytes
from mlebench.competitions.hms_harmful_brain_activity_classification.task import VOTES

SPECTROGRAMS, PATIENTS, ROWS = 30, 10, 20
KINDS = ["Seizure", "LPD", "GPD", "LRDA", "GRDA", "Other"]
ELECTRODES = "Fp1 F3 C3 P3 F7 T3 T5 O1 Fz Cz Pz Fp2 F4 C4 P4 F8 T4 T6 O2 EKG".split()
BANDS = [f"{region}_{frequency}" for region in ("LL", "RL", "LP", "RP") for frequency in (0.59, 3.91, 19.92)]


def make(rng: np.random.Generator) -> dict[str, bytes]:
    segments = make_segments(rng)
    drawing = picture_bytes(rng.integers(0, 256, (12, 16)), "PNG")
    files = {
        "train.csv": csv_bytes(segments),
        "test.csv": csv_bytes(pd.DataFrame({"spectrogram_id": [853520], "eeg_id": [3911565283], "patient_id": [6885]})),
        "sample_submission.csv": csv_bytes(
            pd.DataFrame({"eeg_id": [3911565283], **dict.fromkeys(VOTES, 0.16666666666666666)})
        ),
        "test_eegs/3911565283.parquet": recording(rng, ELECTRODES, 5),
        "test_spectrograms/853520.parquet": recording(rng, BANDS, 5, "time"),
        "example_figures/Sample01.png": drawing,
        "example_figures/more/Sample02.png": drawing,
    }
    for kind, columns, extra in (("eeg", ELECTRODES, None), ("spectrogram", BANDS, "time")):
        for id, rows in segments.groupby(f"{kind}_id"):
            frequency = KINDS.index(rows["expert_consensus"].iloc[0]) + 1
            files[f"train_{kind}s/{id}.parquet"] = recording(rng, columns, frequency, extra)
    return files


def make_segments(rng: np.random.Generator) -> pd.DataFrame:
    rows = []
    for spectrogram in rng.choice(2**31, SPECTROGRAMS, replace=False):
        patient = int(rng.integers(0, PATIENTS))
        kind = patient % len(KINDS)  # so what is learned about a patient helps
        place = 0
        for eeg in rng.choice(2**32, int(rng.integers(1, 3)), replace=False):
            offset = 0
            for sub in range(int(rng.integers(1, 4))):
                votes = rng.multinomial(rng.integers(3, 15), 0.6 * np.eye(6)[kind] + 0.4 * rng.dirichlet(np.ones(6)))
                rows.append(
                    {
                        "eeg_id": eeg,
                        "eeg_sub_id": sub,
                        "eeg_label_offset_seconds": float(offset),
                        "spectrogram_id": spectrogram,
                        "spectrogram_sub_id": place,
                        "spectrogram_label_offset_seconds": float(60 * place),
                        "label_id": int(rng.integers(0, 2**32)),
                        "patient_id": 1000 + 37 * patient,
                        "expert_consensus": KINDS[kind],
                        **dict(zip(VOTES, votes, strict=True)),
                    }
                )
                offset += 2 * int(rng.integers(1, 5))
                place += 1
    return pd.DataFrame(rows)


def recording(rng: np.random.Generator, columns: list[str], frequency: int, extra: str | None = None) -> bytes:
    """Return a wave of the given frequency in each column, in coarse steps."""
    time = np.arange(ROWS)
    wave = np.sin(2 * np.pi * frequency * time / ROWS) * rng.uniform(1, 3, (len(columns), 1))
    values = np.round(4 * (wave + 0.4 * rng.normal(size=wave.shape))).astype(np.float32)
    first = {extra: 2 * time + 1} if extra else {}
    return parquet_bytes({**first, **dict(zip(columns, values, strict=True))})
