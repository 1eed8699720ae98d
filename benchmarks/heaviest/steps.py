"""The steps of a measurement: `python -m benchmarks.heaviest.steps STEP ID FOLDER SCALE MEMORY`."""

from __future__ import annotations

import importlib
import json
import resource
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from mlebench.data import prepare
from mlebench.grading.answers import iterate_jsonl
from mlebench.grading.judge import judge
from mlebench.ground.tables import read_csv, write_csv
from mlebench.tasks.registry import Registry

if TYPE_CHECKING:
    import pandas as pd

    from mlebench.tasks.competition import Competition

STEPS = (
    *("make", "read raw", "prepare", "submit"),
    *("read sample", "grade sample", "read submission", "grade submission"),
)
"""They run in this order; each writes files for the next ones."""
EXCHANGED = 0.1
"""Fraction of the rows of a plausible submission that have the answer of another row."""


def run(step: str, competition_id: str, folder: Path, scale: float) -> dict[str, Any]:
    """Run one step with a folder that the steps before have filled; return what it reports."""
    module = importlib.import_module(f"{__package__}.{competition_id.replace('-', '_')}")
    competition = Registry(folder / "data").get_competition(competition_id)
    raw, submission = folder / "raw", folder / "submission.csv"
    match step:
        case "make":
            raw.mkdir()
            return {"rows": module.make(raw, scale), "bytes": size_of(raw)}
        case "read raw":
            module.read(raw)
        case "prepare":
            prepare(competition, raw=raw, skip_verification=True, brief=True)
        case "submit":
            frame = module.predict(competition) if hasattr(module, "predict") else exchanged(competition)
            write_csv(frame.sample(frac=1, random_state=0), submission)
            return {"rows": len(frame)}
        case "read sample":
            return read_tables(competition.sample_submission, competition)
        case "grade sample":
            return grade(competition.sample_submission, competition)
        case "read submission":
            return read_tables(submission, competition)
        case "grade submission":
            return grade(submission, competition)
    return {}


def size_of(folder: Path) -> int:
    """Return the bytes of all files in a folder."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def exchanged(competition: Competition) -> pd.DataFrame:
    """Return the gold answers with some of them exchanged between rows."""
    shape = competition.declaration.submission  # type: ignore[union-attr]
    gold = read_csv(competition.gold_submission)
    names = [name for name in gold.columns if name not in shape.ids and name in (shape.targets or gold.columns)]
    rng = np.random.default_rng(1)
    rows = np.arange(len(gold))
    drawn = np.flatnonzero(rng.random(len(gold)) < EXCHANGED)
    rows[drawn] = rng.permutation(drawn)
    return gold[shape.ids].assign(**{name: gold[name].array[rows] for name in names})


def read_tables(submission: Path, competition: Competition) -> dict[str, Any]:
    """Read what grading must read: a submission and the answers."""
    read_csv(submission)
    if competition.answers.suffix == ".csv":
        read_csv(competition.answers)
    else:
        for _ in iterate_jsonl(competition.answers):
            pass
    return {"bytes": submission.stat().st_size}


def grade(submission: Path, competition: Competition) -> dict[str, Any]:
    """Grade a submission; exit if it gets no score."""
    verdict = judge(submission, competition)
    if verdict.score is None:
        raise SystemExit(f"{submission.name} got no score: {verdict.reason}")
    return {"score": verdict.score}


if __name__ == "__main__":
    step, competition_id, folder, scale, memory = sys.argv[1:]
    resource.setrlimit(resource.RLIMIT_DATA, (int(memory), int(memory)))
    print(json.dumps(run(step, competition_id, Path(folder), float(scale))))
