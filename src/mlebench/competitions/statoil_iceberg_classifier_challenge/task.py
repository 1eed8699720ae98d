"""Icebergs and ships in radar patches."""

import json
import tempfile
from pathlib import Path
from typing import Any

import pandas as pd

from mlebench.errors import RawDataError
from mlebench.preparation import extract_7z, pack_7z, write_csv
from mlebench.tasks.split import Split


def prepare(raw: Path, public: Path, private: Path, split: Split) -> None:
    with tempfile.TemporaryDirectory(dir=private) as scratch:
        for name in ("train", "test"):
            extract_7z(raw / f"{name}.json.7z", Path(scratch))
        unpacked = Path(scratch) / "data" / "processed"
        patches = json.loads((unpacked / "train.json").read_bytes())
        fields = list(first_object(unpacked / "test.json"))
    objects = pd.DataFrame(patches, columns=["id", "is_iceberg", "inc_angle"])
    parts = split(objects, group=known_angles)
    train, test = ([patches[place] for place in part.index] for part in parts)
    unlabelled = [{field: patch[field] for field in fields} for patch in test]
    answers = parts[1][["id", "is_iceberg"]]
    write_csv(answers, private / "test.csv")
    write_csv(answers.assign(is_iceberg=0.5), private / "sample_submission.csv")

    pack_7z(public / "train.json.7z", {"train.json": json.dumps(train).encode()})
    pack_7z(public / "test.json.7z", {"test.json": json.dumps(unlabelled).encode()})
    sample = private / "sample_submission.csv"
    pack_7z(public / "sample_submission.csv.7z", {"sample_submission.csv": sample})


def known_angles(objects: pd.DataFrame) -> "pd.Series[float]":
    """Return the incidence angle of each object; it is missing where the data say "na"."""
    return pd.to_numeric(objects["inc_angle"], errors="coerce")


def first_object(path: Path) -> dict[str, Any]:
    """Return the first object of a JSON list, without reading the more than a gigabyte that may follow."""
    text = ""
    with path.open(encoding="utf-8") as file:
        while more := file.read(2**20):
            text += more
            try:
                first: dict[str, Any] = json.JSONDecoder().raw_decode(text, text.index("{"))[0]
            except ValueError:  # it goes on
                continue
            return first
    raise RawDataError(f"{path.name} of the raw data holds no object.")
