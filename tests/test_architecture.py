"""Arrows between the rooms run one way, and naming things costs no heavy import."""

from __future__ import annotations

import ast
import importlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

import mlebench

PACKAGE = Path(mlebench.__file__).parent
HEAVY = set("numpy pandas sklearn scipy PIL kaggle kagglesdk requests docker openai tensorflow".split())

GROUND = {"errors", "extras", "declarations", "loading", "tables", "files", "medals", "__init__"}
TASKS = {
    "competition",
    "registry",
    "submission",
    "matching",
    "values",
    "metrics",
    "preparation",
    "competitions",
    "grader",
    "scaffold",
}
DATA = {"data", "blind", "kaggle"}
GRADING = {"grade", "grade_helpers", "reports", "intake", "battery"}
RUNS = {"runs", "agents", "sandbox", "gateway", "images"}
ANALYSIS = {"analysis", "studies"}
DOORS = {"cli", "utils", "demo", "export", "__main__"}

FORBIDDEN = {
    "ground": (GROUND, TASKS | DATA | GRADING | RUNS | ANALYSIS | DOORS),
    "tasks": (TASKS, DATA | GRADING | RUNS | ANALYSIS | DOORS),
    "data": (DATA, RUNS | ANALYSIS | {"cli", "grade", "grade_helpers", "intake"}),
    "grading": (GRADING, RUNS | ANALYSIS | {"cli"}),
    "runs": (RUNS, ANALYSIS | {"cli"}),
    "sandbox and gateway": (
        {"sandbox", "gateway"},
        DATA | {"grade", "competition", "registry", "competitions"},
    ),
    "analysis": (ANALYSIS, {"cli"}),
}


def files_of(rooms: set[str]) -> list[Path]:
    return [
        path
        for room in sorted(rooms)
        for path in ([PACKAGE / f"{room}.py"] if (PACKAGE / f"{room}.py").exists() else (PACKAGE / room).rglob("*.py"))
    ]


def imports_of(path: Path) -> set[str]:
    """Return the parts of mlebench that a file imports, those inside functions included, those for types not."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    skipped = {
        inner
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test)
        for inner in ast.walk(node)
    }
    names = set()
    for node in ast.walk(tree):
        if node in skipped:
            continue
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level <= 1, f"{path} imports from a folder above itself"
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    parts = {name.split(".")[1] for name in names if name.startswith("mlebench.")}
    return {part for part in parts if (PACKAGE / part).is_dir() or (PACKAGE / f"{part}.py").exists()}


@pytest.mark.parametrize("room", FORBIDDEN)
def test_room_imports_only_what_its_arrows_allow(room):
    files, forbidden = FORBIDDEN[room]
    wrong = {
        str(path.relative_to(PACKAGE)): sorted(found)
        for path in files_of(files)
        if (found := imports_of(path) & (forbidden - files))
    }
    assert not wrong


def test_every_module_belongs_to_a_room():
    rooms = GROUND | TASKS | DATA | GRADING | RUNS | ANALYSIS | DOORS | {"splits"}
    found = {path.stem for path in PACKAGE.iterdir() if path.name != "__pycache__" and path.suffix in ("", ".py")}
    assert found <= rooms


@pytest.mark.parametrize(
    "statement",
    [
        "import mlebench",
        "from mlebench.registry import registry; registry.get_competition('spaceship-titanic').brief()",
        "from mlebench.registry import registry; registry.list_competition_ids()",
        "from mlebench.registry import registry; registry.get_competition('leaf-classification').standings.thresholds",
        "import mlebench.data, mlebench.kaggle, mlebench.grade, mlebench.metrics, mlebench.submission, mlebench.intake",
    ],
)
def test_naming_things_imports_nothing_heavy(statement):
    script = f"{statement}\nimport sys\nprint(sorted({HEAVY!r} & set(sys.modules)))"
    environment = os.environ | {"PYTHONPATH": str(PACKAGE.parent)}
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, env=environment)
    assert result.returncode == 0, result.stderr
    assert result.stdout == "[]\n"


def test_public_names_exist_and_are_listed():
    for name in mlebench.__all__:
        assert getattr(mlebench, name) is not None
    assert set(mlebench.__all__) <= set(dir(mlebench))
    assert sorted(mlebench.__all__) == mlebench.__all__
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = mlebench.nothing


def test_names_in_all_exist():
    for path in PACKAGE.rglob("*.py"):
        parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
        if "competitions" in parts or "__all__" not in path.read_text(encoding="utf-8") or parts[-1] == "__main__":
            continue
        module = importlib.import_module(".".join(parts).removesuffix(".__init__"))
        assert [name for name in module.__all__ if not hasattr(module, name)] == []


def test_every_error_says_when_it_is_raised():
    from mlebench import errors

    classes = [item for item in vars(errors).values() if isinstance(item, type)]
    assert all(issubclass(item, errors.MLEBenchError) for item in classes)
    assert all(item.__doc__ and item.__name__ in errors.__doc__ for item in classes)
    assert all(item.exit_code in (1, 2, 3) for item in classes)
