"""Utterances of speech as windows of 11 frames: each phoneme has its own mean and lasts several frames."""

from __future__ import annotations

import io

import numpy as np
import pandas as pd

from benchmarks.rehearsal.making import csv_bytes

TRAIN, TEST, UTTERANCES, PHONEMES, COEFFICIENTS, REACH = 110, 40, 15, 39, 39, 5
STEP = 0.5
"""Features are multiples of it, which keeps the files small."""


def make(rng: np.random.Generator) -> dict[str, bytes]:
    often, means = rng.dirichlet(np.full(PHONEMES, 0.4)), rng.normal(size=(PHONEMES, COEFFICIENTS))
    utterances = [make_speech(rng, often, means) for _ in range(UTTERANCES)]
    windows, labels = (np.concatenate(parts) for parts in zip(*utterances, strict=True))
    sample = pd.DataFrame({"Id": range(TEST), "ClassId": 0})
    folder = "timit_11/timit_11"
    return {
        f"{folder}/train_11.npy": array_bytes(windows[:TRAIN]),
        f"{folder}/train_label_11.npy": array_bytes(labels[:TRAIN].astype(str)),
        f"{folder}/test_11.npy": array_bytes(windows[TRAIN:]),
        "sampleSubmission.csv": csv_bytes(sample),
    }


def make_speech(rng: np.random.Generator, often: np.ndarray, means: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the windows of an utterance, of shape (frames, 11 * 39), and the phoneme in the middle of each."""
    frames = (TRAIN + TEST) // UTTERANCES
    labels = np.repeat(rng.choice(PHONEMES, frames, p=often), rng.integers(3, 9, frames))[: frames + 2 * REACH]
    speech = np.round((means[labels] + 0.7 * rng.normal(size=(len(labels), COEFFICIENTS))) / STEP) * STEP
    windows = np.stack([speech[middle : middle + 2 * REACH + 1].ravel() for middle in range(frames)])
    return windows.astype(np.float32), labels[REACH : frames + REACH]


def array_bytes(array: np.ndarray) -> bytes:
    """Return an array as an npy file."""
    buffer = io.BytesIO()
    np.save(buffer, array)
    return buffer.getvalue()
