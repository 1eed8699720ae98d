"""Spoken commands in clips of one second."""

import tempfile
from pathlib import Path

import pandas as pd

from mlebench.preparation import extract_7z, place_by_folder, place_files, train_test_split, write_csv


def prepare(raw: Path, public: Path, private: Path) -> None:
    with tempfile.TemporaryDirectory(dir=public.parent) as scratch:
        extract_7z(raw / "train.7z", Path(scratch))
        audio = Path(scratch) / "train" / "audio"
        clips = sorted(audio.rglob("*.wav"), key=lambda clip: f"{clip.parent.name}_{clip.name}")
        table = pd.DataFrame({"label": [clip.parent.name for clip in clips], "file": [clip.name for clip in clips]})
        train, test = train_test_split(table, test_size=0.1)
        answers = pd.DataFrame(
            {"fname": [f"clip_{place:08}.wav" for place in range(len(test))], "label": test["label"]}
        )
        write_csv(answers.assign(label="silence"), public / "sample_submission.csv")
        write_csv(answers, private / "test.csv")

        place_by_folder(train["file"], train["label"], audio, public / "train" / "audio")
        renamed = dict(zip(test["label"] + "/" + test["file"], answers["fname"], strict=True))
        place_files(renamed, audio, public / "test" / "audio")
