"""The phoneme that is spoken in a frame of speech."""

from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

from mlebench.preparation import group_split, shuffle_rows, split_positions, write_csv

FOLDER = Path("timit_11") / "timit_11"
WIDTH = 39
"""Numbers of a frame; a row has eleven frames."""
CHUNK = 2**16
"""Rows that are compared at once."""


class Speech(NamedTuple):
    """The labelled rows, with the share of them that is for testing."""

    frames: np.ndarray
    labels: np.ndarray
    test_share: float


def prepare(raw: Path, public: Path, private: Path) -> None:
    speech = read_speech(raw)
    place_parts(speech, *split_positions(len(speech.frames), speech.test_share), public, private)


def prepare_v2(raw: Path, public: Path, private: Path) -> None:
    speech = read_speech(raw)
    rows = pd.DataFrame({"utterance": number_utterances(speech.frames)})
    train, test = (
        shuffle_rows(part, groups=part["utterance"]) for part in group_split(rows, rows["utterance"], speech.test_share)
    )
    place_parts(speech, train.index.to_numpy(), test.index.to_numpy(), public, private)


def read_speech(raw: Path) -> Speech:
    """Open the rows; the share is that of the original test rows, which have no labels and are not used."""
    source = raw / FOLDER
    frames, unlabelled = (np.load(source / name, mmap_mode="r") for name in ("train_11.npy", "test_11.npy"))
    share = len(unlabelled) / (len(frames) + len(unlabelled))
    return Speech(frames, np.load(source / "train_label_11.npy"), share)


def number_utterances(frames: np.ndarray) -> np.ndarray:
    """Return the number of each row's utterance; within one, the first ten frames of a row end the row before."""
    begins = np.ones(len(frames), dtype=bool)
    for start in range(0, len(frames) - 1, CHUNK):
        rows = frames[start : start + CHUNK + 1]
        begins[start + 1 : start + len(rows)] = (rows[1:, :-WIDTH] != rows[:-1, WIDTH:]).any(axis=1)
    return begins.cumsum()


def place_parts(speech: Speech, train: np.ndarray, test: np.ndarray, public: Path, private: Path) -> None:
    target = public / FOLDER
    target.mkdir(parents=True)
    np.save(target / "train_11.npy", speech.frames[train])
    np.save(target / "train_label_11.npy", speech.labels[train])
    np.save(target / "test_11.npy", speech.frames[test])
    answers = pd.DataFrame({"Id": range(len(test)), "ClassId": speech.labels[test]})
    write_csv(answers.assign(ClassId=0), public / "sampleSubmission.csv")
    write_csv(answers, private / "answers.csv")
