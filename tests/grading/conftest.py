"""Custom tasks whose code misbehaves."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from mlebench.tasks.registry import Registry

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from mlebench.tasks.competition import Competition

    Make = Callable[[str], tuple[Registry, Competition]]

TASK = """
import os, signal, subprocess, sys, time
from pathlib import Path
from mlebench.preparation import *

def grade(submission, answers):
    print("noise on standard output")
    if len(answers) != len(submission):
        raise AssertionError
    {code}

def check(submission):
    print("noise on standard output")
    {code}
"""


@pytest.fixture
def own_task(tmp_path: Path, ship: Competition) -> Make:
    """A function that makes a task from the code of its grade function and its check; the data are the ship's."""

    def make(code: str) -> tuple[Registry, Competition]:
        assert ship.folder is not None
        folder = tmp_path / "task"
        shutil.copytree(ship.folder, folder)
        declaration = (folder / "competition.yaml").read_text().replace("id: spaceship-titanic", "id: own")
        functions = "metric: accuracy_score\ngrade: grade\ncheck: check"
        (folder / "competition.yaml").write_text(declaration.replace("metric: accuracy_score", functions))
        (folder / "task.py").write_text(TASK.format(code=code))
        shutil.copytree(ship.prepared_dir, tmp_path / "data" / "own" / "prepared")
        registry = Registry(tmp_path / "data", (folder,))
        return registry, registry.get_competition("own")

    return make
