"""Fixtures for tests of scanners: tiny prepared tasks, with a fault or without it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import pytest
import yaml

from mlebench.ground.tables import write_csv
from mlebench.scan.material import Material
from mlebench.tasks.competition import Competition

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    MakeTask = Callable[..., Competition]

SHAPE = {"id": "id", "targets": ["label"], "values": "labels"}


@pytest.fixture
def make(tmp_path: Path) -> MakeTask:
    """A function that makes a task with prepared data, which are given as they are.

    `train` and `test` are tables with the columns `id` and `label`; `public` holds the bytes of further files by path.
    """

    def make_task(
        train: pd.DataFrame | None,
        test: pd.DataFrame,
        public: Mapping[str, bytes] = {},
        shape: Mapping[str, Any] = SHAPE,
        sample: pd.DataFrame | None = None,
        **declared: Any,
    ) -> Competition:
        folder = tmp_path / "task"
        folder.mkdir()
        facts = {"id": "own", "title": "Own", "year": 2026, "category": "Tabular", "metric": "accuracy_score"}
        (folder / "competition.yaml").write_text(yaml.safe_dump({**facts, "submission": dict(shape), **declared}))
        (folder / "brief.md").write_text("# Own\n")
        (folder / "leaderboard.csv").write_text("score\n" + "".join(f"{1 - n / 1000}\n" for n in range(200)))
        competition = Competition.bind(folder, tmp_path / "data")
        targets = [name for name in shape["targets"] if name in test.columns]
        ids = [shape["id"]] if isinstance(shape["id"], str) else list(shape["id"])
        write_csv(test[ids + targets], competition.answers)
        blank = test[ids].assign(**{name: test[name].iloc[0] for name in targets})
        write_csv(blank if sample is None else sample, competition.sample_submission)
        if train is not None:
            write_csv(train, competition.public_dir / "train.csv")
        if len(test.columns) > len(ids) + len(targets):
            write_csv(test.drop(columns=targets), competition.public_dir / "test.csv")
        for path, content in public.items():
            (competition.public_dir / path).parent.mkdir(parents=True, exist_ok=True)
            (competition.public_dir / path).write_bytes(content)
        return competition

    return make_task


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(7)


@pytest.fixture
def rows(rng: np.random.Generator) -> Callable[..., pd.DataFrame]:
    """A function that makes a table with random ids, two random features, and a random label."""

    def make_rows(number: int, **columns: Any) -> pd.DataFrame:
        return pd.DataFrame(
            {
                "id": [f"{drawn:06x}" for drawn in rng.choice(16**6, number, replace=False)],
                "width": rng.normal(size=number).round(6),
                "height": rng.normal(size=number).round(6),
                "label": rng.choice(["cat", "dog"], number),
            }
            | columns
        )

    return make_rows


@pytest.fixture
def scan() -> Callable[..., list[Any]]:
    """A function that returns what a scanner finds in a task."""

    def find(scanner: Callable[..., Any], competition: Competition) -> list[Any]:
        return list(scanner(Material(competition)))

    return find
