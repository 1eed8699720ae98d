"""Fixtures for tests of tasks: competitions of the user."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from mlebench.tasks.registry import COMPETITIONS_DIR

if TYPE_CHECKING:
    from pathlib import Path

SHIP = COMPETITIONS_DIR / "spaceship_titanic"


@pytest.fixture
def own_task(tmp_path):
    """A function that makes a competition's folder of the user's own and returns it."""

    def make(competition_id: str = "my-task", place: Path = tmp_path / "own") -> Path:
        folder = place / competition_id
        shutil.copytree(SHIP, folder, ignore=shutil.ignore_patterns("__pycache__"))
        declaration = folder / "competition.yaml"
        text = declaration.read_text(encoding="utf-8")
        declaration.write_text(text.replace("id: spaceship-titanic", f"id: {competition_id}", 1), encoding="utf-8")
        return folder

    return make
