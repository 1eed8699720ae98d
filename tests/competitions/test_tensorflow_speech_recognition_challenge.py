"""The labels and the clips of each version of tensorflow-speech-recognition-challenge."""

from __future__ import annotations

import wave

import pytest

from mlebench.battery.prepared import PreparedTask
from mlebench.ground.tables import read_csv

ID = "tensorflow-speech-recognition-challenge"
COMMANDS = ["yes", "no", "up", "down", "left", "right", "on", "off", "stop", "go"]


@pytest.fixture
def tasks(prepared, tmp_path):
    return [PreparedTask(prepared(label), tmp_path / "submission.csv") for label in (ID, f"{ID}@v2")]


def test_only_v2_takes_the_labels_of_the_statement(tasks):
    scores = []
    for task in tasks:
        labels = task.gold["label"].replace("_background_noise_", "silence")
        stated = labels.where(labels.isin([*COMMANDS, "silence", "unknown"]), "unknown")
        scores.append(task.submit(task.gold.assign(label=stated))[0].score)
    assert scores[0] < 0.7
    assert scores[1] == 1


def test_other_words_and_silence_are_no_more_frequent_than_commands(tasks):
    counts = read_csv(tasks[1].competition.answers)["label"].value_counts()
    mean = counts[counts.index.isin(COMMANDS)].sum() / len(COMMANDS)
    assert 0 < counts["unknown"] <= round(mean)
    assert 0 < counts["silence"] <= round(mean)


def test_silence_lasts_a_second(tasks):
    answers = read_csv(tasks[1].competition.answers).query("label == 'silence'")
    for name in answers["fname"]:
        with wave.open(str(tasks[1].competition.public_dir / "test" / "audio" / name)) as clip:
            assert clip.getnframes() == clip.getframerate()


def test_four_of_six_noises_are_in_train(tasks):
    noise = tasks[1].competition.public_dir / "train" / "audio" / "_background_noise_"
    assert len(list(noise.iterdir())) == 4
