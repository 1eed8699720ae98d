"""A competition of pictures, and objects that record its progress."""

from __future__ import annotations

import random
import zipfile
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pytest

from mlebench.tasks.registry import Registry

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from mlebench.data.progress import Step
    from mlebench.data.results import PrepareResult
    from mlebench.tasks.competition import Competition

DECLARATION = """\
id: {id}
title: Pictures
year: 2026
category: Image Classification
metric: accuracy_score
submission: {{id: id, targets: [label], values: labels}}
"""
TASK = """\
from mlebench.preparation import place_files
from mlebench.ground.tables import read_csv, write_csv


def prepare(raw, public, private):
    labels = read_csv(raw / "labels.csv", dtype=str)
    test, train = labels.iloc[::3], labels.drop(labels.index[::3])
    place_files(train["id"] + ".jpg", raw / "images", public / "train")
    place_files(test["id"] + ".jpg", raw / "images", public / "test")
    write_csv(train, public / "train.csv")
    write_csv(test, private / "test.csv")
    write_csv(test.assign(label="a"), public / "sample_submission.csv")
"""


@dataclass
class RecordedProgress:
    """A Progress that records its calls."""

    steps: list[tuple[Step, int | None]] = field(default_factory=list)
    done: dict[Step, int] = field(default_factory=dict)
    messages: list[str] = field(default_factory=list)

    def step(self, step: Step, total: int | None = None) -> None:
        self.steps.append((step, total))

    def advance(self, size: int, files: int = 0) -> None:
        step = self.steps[-1][0]
        self.done[step] = self.done.get(step, 0) + size

    def message(self, text: str) -> None:
        self.messages.append(text)


@dataclass
class RecordedBatch:
    """A BatchProgress that records its calls."""

    messages: list[tuple[str, str]] = field(default_factory=list)
    results: list[PrepareResult] = field(default_factory=list)

    def step(self, label: str, step: Step, total: int | None) -> None: ...

    def advance(self, label: str, size: int, files: int) -> None: ...

    def message(self, label: str, text: str) -> None:
        self.messages.append((label, text))

    def finished(self, result: PrepareResult) -> None:
        self.results.append(result)


@pytest.fixture
def progress() -> RecordedProgress:
    return RecordedProgress()


@pytest.fixture
def batch() -> RecordedBatch:
    return RecordedBatch()


@pytest.fixture
def declare(tmp_path: Path) -> Callable[..., Path]:
    """A function that writes a competition's folder and returns it."""

    def declare(name: str = "pictures", task: str = TASK, more: str = "") -> Path:
        folder = tmp_path / "own" / name
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "competition.yaml").write_text(DECLARATION.format(id=name) + more)
        (folder / "task.py").write_text(task)
        (folder / "brief.md").write_text("# Pictures\n\nName what is on them.\n")
        (folder / "leaderboard.csv").write_text("score\n0.9\n0.8\n0.7\n")
        return folder

    return declare


@pytest.fixture
def pictures(declare: Callable[..., Path], tmp_path: Path) -> Competition:
    """A competition of pictures without any data."""
    return Registry(tmp_path / "data", (declare(),)).get_competition("pictures")


def zip_of_pictures(archive: Path, count: int = 30, size: int = 2000) -> Path:
    """Write a competition's zip: a table and so many pictures of so many random bytes."""
    archive.parent.mkdir(parents=True, exist_ok=True)
    draw = random.Random(count)
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
        rows = "".join(f"p{number},{'ab'[number % 2]}\n" for number in range(count))
        file.writestr("labels.csv", "id,label\n" + rows)
        for number in range(count):
            file.writestr(f"images/p{number}.jpg", draw.randbytes(size))
    return archive
