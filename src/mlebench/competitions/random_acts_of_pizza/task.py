"""Requests for a free pizza, and whether they were granted."""

import json
from pathlib import Path

import pandas as pd

from mlebench.preparation import pack, split_positions, write_csv


def prepare(raw: Path, public: Path, private: Path) -> None:
    requests, original_test = (json.loads((raw / name).read_bytes()) for name in ("train.json", "test.json"))
    share = len(original_test) / (len(requests) + len(original_test))
    train, test = ([requests[row] for row in part] for part in split_positions(len(requests), share))
    known_when_posted = original_test[0].keys()
    write_records("train", train, public)
    write_records("test", [{key: request[key] for key in known_when_posted} for request in test], public)
    answers = pd.DataFrame(test)[["request_id", "requester_received_pizza"]].astype({"requester_received_pizza": int})
    write_csv(answers.assign(requester_received_pizza=0), public / "sampleSubmission.csv")
    write_csv(answers, private / "test.csv")


def write_records(name: str, records: list[dict[str, object]], public: Path) -> None:
    """Write records as JSON, plain and zipped."""
    path = public / f"{name}.json"
    path.write_text(json.dumps(records, indent=4), encoding="utf-8")
    pack(public / f"{name}.zip", {path.name: path})
