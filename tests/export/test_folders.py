"""The exported `grade.py` declares the same shape and metric as the task."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from mlebench.export.core import NAME
from mlebench.export.folders import grade_module
from mlebench.tasks.registry import Registry

from ..quick import TASKS


@pytest.mark.parametrize("task", TASKS)
def test_the_exported_shape_equals_the_declared_one(task):
    declared = Registry().get_declaration(task)
    names = filter(None, (declared.grade, declared.answer_table, declared.check))
    source = grade_module(declared).replace(f"{NAME}.", "mlebench.").replace("from . import task\n", "")
    module = {"task": SimpleNamespace(**dict.fromkeys(names, print))}
    exec(compile(source, "grade.py", "exec"), module)
    assert module["SHAPE"] == declared.submission
    assert callable(module["grade"])


def test_the_functions_of_a_task_are_imported_only_if_there_are_any():
    declared = Registry().get_declaration("spaceship-titanic")
    plain = declared.model_copy(update={"grade": None, "answer_table": None, "check": None})
    assert "import task" not in grade_module(plain)
    assert "    task.judge,\n" in grade_module(plain.model_copy(update={"grade": "judge"}))
