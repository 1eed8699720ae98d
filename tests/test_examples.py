"""The examples in docstrings run and give what they show."""

from __future__ import annotations

import doctest
import importlib
from pathlib import Path

import pytest

import mlebench

PACKAGE = Path(mlebench.__file__).parent
ROOMS = ("__init__.py", "agents", "authoring", "ground", "grading", "preparation", "tasks")
MODULES = sorted(
    path.relative_to(PACKAGE.parent).with_suffix("").as_posix().replace("/", ".").removesuffix(".__init__")
    for room in ROOMS
    for path in ([PACKAGE / room] if room.endswith(".py") else (PACKAGE / room).rglob("*.py"))
    if ">>>" in path.read_text(encoding="utf-8")
)


@pytest.mark.parametrize("module", MODULES)
def test_examples_give_what_they_show(module):
    results = doctest.testmod(importlib.import_module(module))
    assert not results.failed
