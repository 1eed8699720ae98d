"""Calls of right whales in clips of two seconds."""

import re
from pathlib import Path

import pandas as pd

from mlebench.errors import RawDataError
from mlebench.preparation import member_names, repack, write_csv

CLIP = re.compile(r"train2/([^/]+\.aif)")


def prepare(raw: Path, public: Path, private: Path) -> None:
    archive = raw / "train2.zip"
    clips = sorted(match[1] for match in map(CLIP.fullmatch, member_names(archive)) if match)
    days = sorted({clip.partition("_")[0] for clip in clips})
    if len(days) != 4:
        raise RawDataError(f"The archive {archive.name} must hold clips of four days, not of {len(days)}.")
    train, test = ([clip for clip in clips if clip.partition("_")[0] in part] for part in (days[:2], days[2:]))
    numbered = [re.sub(r"TRAIN\d+", f"TRAIN{place}", clip) for place, clip in enumerate(train)]
    unlabelled = [f"{clip.partition('TRAIN')[0]}Test{place}.aif" for place, clip in enumerate(test)]
    answers = pd.DataFrame({"clip": unlabelled, "probability": [int(clip.endswith("_1.aif")) for clip in test]})
    write_csv(answers.assign(probability=0), public / "sampleSubmission.csv")
    write_csv(answers, private / "test.csv")

    for name, old, new in (("train2", train, numbered), ("test2", test, unlabelled)):
        place = {f"train2/{clip}": f"{name}/{new_clip}" for clip, new_clip in zip(old, new, strict=True)}
        repack(archive, public / f"{name}.zip", want=place.get, expect=len(place))
