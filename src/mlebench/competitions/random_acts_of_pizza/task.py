"""Requests for a free pizza, and whether they were granted."""

import json
from pathlib import Path

import pandas as pd

from mlebench.preparation import pack, split_positions, write_csv

GIVER = "giver_username_if_known"
NOT_KNOWN = "N/A"

Record = dict[str, object]


def prepare(raw: Path, public: Path, private: Path) -> None:
    train, test, fields = split_requests(raw)
    write_parts(train, test, [{key: request[key] for key in fields} for request in test], public, private)


def prepare_v2(raw: Path, public: Path, private: Path) -> None:
    train, test, fields = split_requests(raw)
    shown = [{key: request[key] for key in fields} | {GIVER: NOT_KNOWN} for request in test]
    write_parts(train, test, shown, public, private)


def split_requests(raw: Path) -> tuple[list[Record], list[Record], list[str]]:
    """Return the requests of train and test, and the fields that were known when a request was posted."""
    requests, original_test = (json.loads((raw / name).read_bytes()) for name in ("train.json", "test.json"))
    share = len(original_test) / (len(requests) + len(original_test))
    train, test = ([requests[row] for row in part] for part in split_positions(len(requests), share))
    return train, test, list(original_test[0])


def write_parts(train: list[Record], test: list[Record], shown: list[Record], public: Path, private: Path) -> None:
    write_records("train", train, public)
    write_records("test", shown, public)
    answers = pd.DataFrame(test)[["request_id", "requester_received_pizza"]].astype({"requester_received_pizza": int})
    write_csv(answers.assign(requester_received_pizza=0), public / "sampleSubmission.csv")
    write_csv(answers, private / "test.csv")


def write_records(name: str, records: list[Record], public: Path) -> None:
    """Write records as JSON, plain and zipped."""
    path = public / f"{name}.json"
    path.write_text(json.dumps(records, indent=4), encoding="utf-8")
    pack(public / f"{name}.zip", {path.name: path})
