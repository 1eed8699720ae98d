"""Spoken commands in clips of one second."""

import tempfile
import wave
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pandas as pd

from mlebench.preparation import (
    extract_7z,
    place_by_folder,
    place_files,
    shuffle_rows,
    train_test_split,
    write_csv,
)
from mlebench.tasks.split import Split

NOISE = "_background_noise_"
TEST_NOISES = 2
COMMANDS = ["yes", "no", "up", "down", "left", "right", "on", "off", "stop", "go"]
UNKNOWN, SILENCE = "unknown", "silence"


def prepare(raw: Path, public: Path, private: Path, split: Split) -> None:
    with unpacked(raw, public) as audio:
        train, test = split(list_clips(audio))
        place_parts(train, test, test["folder"], audio, public, private)


def prepare_v2(raw: Path, public: Path, private: Path, split: Split) -> None:
    with unpacked(raw, public) as audio:
        clips = list_clips(audio)
        is_noise = clips["folder"] == NOISE
        train, test = split(clips[~is_noise], group=lambda words: words["file"].str.partition("_nohash_")[0])
        train_noise, test_noise = train_test_split(clips[is_noise], TEST_NOISES)
        test = draw_evenly(pd.concat([test, cut_into_seconds(test_noise, audio)], ignore_index=True))
        place_parts(pd.concat([train, train_noise]), test, labels_of(test), audio, public, private)


@contextmanager
def unpacked(raw: Path, public: Path) -> Iterator[Path]:
    """Give the folder with a folder of clips for each word."""
    with tempfile.TemporaryDirectory(dir=public.parent) as scratch:
        extract_7z(raw / "train.7z", Path(scratch))
        yield Path(scratch) / "train" / "audio"


def list_clips(audio: Path) -> pd.DataFrame:
    clips = sorted(audio.rglob("*.wav"), key=lambda clip: f"{clip.parent.name}_{clip.name}")
    return pd.DataFrame({"folder": [clip.parent.name for clip in clips], "file": [clip.name for clip in clips]})


def cut_into_seconds(noises: pd.DataFrame, audio: Path) -> pd.DataFrame:
    """Write each whole second of some recordings to a file of its own, and return these clips."""
    (audio / SILENCE).mkdir()
    names = []
    for file in noises["file"]:
        with wave.open(str(audio / NOISE / file)) as recording:
            rate = recording.getframerate()
            for second in range(recording.getnframes() // rate):
                names.append(f"{second:04}_{file}")
                with wave.open(str(audio / SILENCE / names[-1]), "wb") as clip:
                    clip.setparams(recording.getparams())
                    clip.writeframes(recording.readframes(rate))
    return pd.DataFrame({"folder": SILENCE, "file": names})


def labels_of(clips: pd.DataFrame) -> pd.Series:
    """Return the label of each clip: a command, unknown for other words, or silence."""
    return clips["folder"].where(clips["folder"].isin([*COMMANDS, SILENCE]), UNKNOWN)


def draw_evenly(clips: pd.DataFrame) -> pd.DataFrame:
    """Return all commands, and at random no more of the other words and of silence than there are of a command."""
    clips = shuffle_rows(clips)
    labels = labels_of(clips)
    is_command = labels.isin(COMMANDS)
    size = round(is_command.sum() / len(COMMANDS))
    return clips[is_command | (labels.groupby(labels).cumcount() < size)]


def place_parts(
    train: pd.DataFrame, test: pd.DataFrame, labels: pd.Series, audio: Path, public: Path, private: Path
) -> None:
    answers = pd.DataFrame({"fname": [f"clip_{place:08}.wav" for place in range(len(test))], "label": labels})
    write_csv(answers.assign(label="silence"), public / "sample_submission.csv")
    write_csv(answers, private / "test.csv")

    place_by_folder(train["file"], train["folder"], audio, public / "train" / "audio")
    renamed = dict(zip(test["folder"] + "/" + test["file"], answers["fname"], strict=True))
    place_files(renamed, audio, public / "test" / "audio")
