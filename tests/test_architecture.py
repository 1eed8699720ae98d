"""Rooms import lower rooms only, no module imports itself by a detour, and naming things costs no heavy import."""

from __future__ import annotations

import ast
import importlib
import inspect
import os
import re
import subprocess
import sys
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

import mlebench

PACKAGE = Path(mlebench.__file__).parent
ROOT = Path(__file__).parents[1]
DRAWING = ROOT / "docs" / "architecture.md"
HEAVY = set("numpy pandas sklearn scipy PIL kaggle kagglesdk requests docker openai tensorflow".split())
REFERENCE = re.compile(r"mlebench(\.\w+)+(:\w+)?")


@cache
def modules() -> dict[str, Path]:
    """Every module of the package by its dotted name, folders of data files included."""
    names = {}
    for path in PACKAGE.rglob("*.py"):
        parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
        names[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return names


@cache
def imports(name: str) -> frozenset[str]:
    """The modules of mlebench that a module names: lazy and type-only imports and strings such as `a.b:c` count."""
    path = modules()[name]
    package = name.split(".") if path.name == "__init__.py" else name.split(".")[:-1]
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            start = package[: len(package) - node.level + 1] if node.level else []
            module = ".".join([*start, *([node.module] if node.module else [])])
            found |= {inner if (inner := f"{module}.{alias.name}") in modules() else module for alias in node.names}
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and REFERENCE.fullmatch(node.value):
            found.add(node.value.partition(":")[0])
    return frozenset(found & set(modules()) - {name})


def room_of(name: str) -> str:
    """The folder or file of the package's top level that a module belongs to."""
    return ([*name.split("."), "__init__"])[1]


@cache
def drawn_rooms() -> list[set[str]]:
    """The rooms as docs/architecture.md draws them, from the top floor to the ground."""
    section = DRAWING.read_text(encoding="utf-8").partition("## The rooms\n")[2].partition("\n## ")[0]
    return [set(found[1].split(", ")) for found in re.finditer(r"^    (\w+(?:, \w+)*)(?:  |$)", section, re.MULTILINE)]


def test_the_drawing_shows_every_room_once():
    entries = {path.stem for path in PACKAGE.iterdir() if path.name not in ("__pycache__", "py.typed")}
    drawn = [room for floor in drawn_rooms() for room in floor]
    assert sorted(drawn) == sorted(entries)


def test_the_page_names_modules_and_classes_that_exist():
    page = DRAWING.read_text(encoding="utf-8")
    paths = set(re.findall(r"`((?:\w+/)+(?:\w+\.py)?)`", page))
    assert len(paths) > 20
    gone = [path for path in sorted(paths) if not any((root / path).exists() for root in (PACKAGE, ROOT))]
    assert gone == [], "name the new modules in docs/architecture.md"
    defined = {
        node.name
        for path in modules().values()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ClassDef)
    }
    named = set(re.findall(r"`([A-Z][a-z]\w+)(?:\.\w+)?`", page))
    assert sorted(named - defined - {"Pillow"}) == [], "name the new classes in docs/architecture.md"


def test_rooms_import_lower_rooms_only():
    floor = {room: height for height, rooms in enumerate(reversed(drawn_rooms())) for room in rooms}
    upward = {
        f"{name} imports {other}"
        for name in modules()
        for other in imports(name)
        if room_of(other) != room_of(name) and floor[room_of(other)] >= floor[room_of(name)]
    }
    assert not upward


def test_no_module_imports_itself_by_a_detour():
    try:
        TopologicalSorter({name: imports(name) for name in modules()}).prepare()
    except CycleError as error:
        pytest.fail(" -> ".join(error.args[1]))


def test_only_the_command_line_prints():
    programs = re.compile(r"mlebench\.(cli|competitions|agents\.\w+\.|authoring\.agent\.template|export\.templates)")
    found = []
    for name, path in modules().items():
        if programs.match(f"{name}."):
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Call(func=ast.Name(id="print"), keywords=keywords):
                    printing = not any(keyword.arg == "file" for keyword in keywords)
                case ast.Import(names=names):
                    printing = any(alias.name.split(".")[0] in ("typer", "rich") for alias in names)
                case ast.ImportFrom(module=str(module)):
                    printing = module.split(".")[0] in ("typer", "rich")
                case _:
                    continue
            found += [f"{name}, line {node.lineno}"] * printing
    assert found == []


def test_modules_of_the_command_line_are_short():
    lines = {path.name: len(path.read_text(encoding="utf-8").splitlines()) for path in (PACKAGE / "cli").glob("*.py")}
    assert {name: number for name, number in lines.items() if number > 120} == {}


@pytest.mark.slow("programs")
@pytest.mark.parametrize(
    "statement",
    [
        "import mlebench",
        "from mlebench.registry import registry; registry.get_competition('spaceship-titanic').brief()",
        "from mlebench.registry import registry; registry.list_competition_ids()",
        "from mlebench.registry import registry; registry.get_competition('leaf-classification').standings.thresholds",
        "import mlebench.data, mlebench.kaggle, mlebench.grade, mlebench.metrics, mlebench.tasks.shape",
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


@pytest.mark.parametrize("name", [name for name in mlebench.__all__ if inspect.isfunction(getattr(mlebench, name))])
def test_public_functions_document_their_parameters(name):
    function = getattr(mlebench, name)
    text, parameters = inspect.getdoc(function), inspect.signature(function).parameters
    assert text.partition("\n")[0].endswith(".")
    section = text.partition("Parameters\n----------\n")[2].partition("\n\n")[0]
    if len(parameters) > 1:
        headings = " ".join(line for line in section.splitlines() if not line.startswith(" "))
        assert [each for each in parameters if not re.search(rf"\b{each}\b", headings)] == []


def test_names_in_all_exist():
    for name, path in modules().items():
        if "competitions" in name or "templates" in name or "__all__" not in path.read_text(encoding="utf-8"):
            continue
        module = importlib.import_module(name)
        assert [each for each in module.__all__ if not hasattr(module, each)] == []


def test_every_error_says_when_it_is_raised():
    from mlebench import errors

    classes = [item for item in vars(errors).values() if isinstance(item, type)]
    assert all(issubclass(item, errors.MLEBenchError) for item in classes)
    assert all(item.__doc__ and item.__name__ in errors.__doc__ for item in classes)
    assert all(item.exit_code in (1, 2, 3) for item in classes)
