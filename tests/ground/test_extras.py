"""Optional packages are imported behind a check that names the extra to install."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import mlebench
from mlebench.errors import MissingExtraError
from mlebench.ground.extras import PACKAGES, missing, require

if TYPE_CHECKING:
    from collections.abc import Iterator

PACKAGE = Path(mlebench.__file__).parent
PROJECT = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))["project"]
IMPORT_NAMES = {"pillow": "PIL", "pyyaml": "yaml", "scikit-learn": "sklearn"}
INDIRECT = {"joblib": "scikit-learn", "scipy": "scikit-learn"}
"""Packages that come with a dependency."""
EXTRA_OF = {package: extra for extra, packages in PACKAGES.items() for package in packages}
WITH_FALLBACK = {("agents/environment.py", "uv"), ("utils.py", "kaggle")}
"""Imports that handle ImportError themselves: by another installer, and by the PermissionError that clients expect."""


def distributions(requirements: list[str]) -> set[str]:
    return {re.match(r"[\w-]+", requirement)[0] for requirement in requirements}


CORE = {IMPORT_NAMES.get(name, name) for name in distributions(PROJECT["dependencies"])} | set(INDIRECT)


def modules() -> list[Path]:
    """The modules that run in mlebench's own environment: no agents, no files that are copied elsewhere."""
    elsewhere = {path.parent for path in PACKAGE.glob("agents/*/agent.yaml")}
    elsewhere |= {PACKAGE / "export" / "templates", PACKAGE / "authoring" / "agent" / "template"}
    return [path for path in sorted(PACKAGE.rglob("*.py")) if not elsewhere & set(path.parents)]


def imported(node: ast.AST) -> list[str]:
    """The names of the top-level packages that a statement imports."""
    if isinstance(node, ast.Import):
        return [alias.name.partition(".")[0] for alias in node.names]
    if isinstance(node, ast.ImportFrom) and not node.level:
        return [(node.module or "").partition(".")[0]]
    return []


def is_type_checking(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def optional_imports(node: ast.AST, required: frozenset[str] = frozenset()) -> Iterator[tuple[str, bool]]:
    """Every optional package that code imports, and whether a `require` of its extra stands before the import."""
    for child in ast.iter_child_nodes(node):
        for package in imported(child):
            if package not in CORE | {"mlebench"} and package not in sys.stdlib_module_names:
                yield package, EXTRA_OF.get(package) in required
        if isinstance(child, ast.Expr) and isinstance(child.value, ast.Call):
            call = child.value
            if isinstance(call.func, ast.Name) and call.func.id == "require":
                required |= {str(argument.value) for argument in call.args if isinstance(argument, ast.Constant)}
        if not is_type_checking(child):
            yield from optional_imports(child, required)


def test_every_optional_import_stands_behind_require():
    unguarded = {
        (str(path.relative_to(PACKAGE)), package)
        for path in modules()
        for package, is_guarded in optional_imports(ast.parse(path.read_text(encoding="utf-8")))
        if not is_guarded
    }
    assert unguarded == WITH_FALLBACK


def test_there_are_optional_imports_of_every_extra():
    found = {package for path in modules() for package, _ in optional_imports(ast.parse(path.read_text("utf-8")))}
    assert {EXTRA_OF[package] for package in found if package in EXTRA_OF} == set(PACKAGES)


@pytest.mark.parametrize(
    ("code", "is_guarded"),
    [
        ("import py7zr", False),
        ("def f():\n    import py7zr", False),
        ("def f():\n    import py7zr\n    require('7z')", False),
        ("def f():\n    require('parquet')\n    import py7zr", False),
        ("def f():\n    require('7z')\n    with x:\n        import py7zr.io", True),
        ("def f():\n    require('7z', 'parquet')\n    from py7zr import io", True),
        ("def f():\n    import unheard_of", False),
    ],
)
def test_unguarded_imports_are_detected(code, is_guarded):
    assert [guarded for _, guarded in optional_imports(ast.parse(code))] == [is_guarded]


def test_extras_are_those_that_pyproject_declares():
    declared = PROJECT["optional-dependencies"]
    assert set(PACKAGES) == set(declared) - {"test"}
    for extra, packages in PACKAGES.items():
        assert distributions(declared[extra]) <= set(packages)


@pytest.mark.parametrize(("extra", "package"), [(extra, each) for extra, all_ in PACKAGES.items() for each in all_])
def test_a_missing_package_is_reported_with_its_install_command(extra, package, monkeypatch):
    monkeypatch.setitem(sys.modules, package, None)
    assert missing(PACKAGES) == [extra]
    with pytest.raises(MissingExtraError, match=rf"'{package}'.*pip install 'mlebench\[{extra}\]'"):
        require(*PACKAGES)
