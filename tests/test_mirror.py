"""The tests mirror the package: a test file has the name of the module that it tests, or states a behaviour."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import pytest

import mlebench

TESTS = Path(__file__).parent
PACKAGE = Path(mlebench.__file__).parent
FILES = sorted(TESTS.rglob("test_*.py"))
NOT_MIRRORED = {"competitions", "agents/aide", "agents/mini_swe_agent", "agents/openhands"}
"""Tasks, which the tests of all tasks cover, and agents that run with packages of their own."""
MIN_SHARE = 0.8


@cache
def module_of(file: Path) -> Path | None:
    """Return the module or folder of the package that a test file is named after."""
    place = PACKAGE / file.relative_to(TESTS).parent / file.stem.removeprefix("test_")
    return next((path for path in (place.with_suffix(".py"), place) if path.exists()), None)


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(TESTS)))
def test_a_file_is_named_after_a_module_or_states_a_behaviour(file):
    behaviour = ast.get_docstring(ast.parse(file.read_text(encoding="utf-8")))
    assert module_of(file) or behaviour, (
        f"src/mlebench/{file.relative_to(TESTS).parent} has no module {file.stem.removeprefix('test_')}: name the file "
        "after the module that it tests, or state in a docstring which behaviour of several modules it tests"
    )


def test_most_modules_have_a_test_of_their_name():
    """The share may only rise: a new module comes with a test of its name."""
    modules = {
        path
        for path in PACKAGE.rglob("*.py")
        if path.name not in ("__init__.py", "__main__.py")
        and not any(path.is_relative_to(PACKAGE / folder) for folder in NOT_MIRRORED)
    }
    tested = modules & {module_of(file) for file in FILES}
    assert len(tested) >= MIN_SHARE * len(modules), f"{len(tested)} of {len(modules)} modules have a test of their name"
