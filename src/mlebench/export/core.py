"""The part of this package that an exported tree carries, in one archive under another name.

Programs may copy a competition's folder of the tree, together with a few modules, into an environment without mlebench
and without most of its dependencies. So each folder holds the code that prepares and grades its competition:
`mlebench_core.zip`. The package in it has another name, since the tree's own package is called `mlebench`.

The archive holds the modules that the templates of the tree import, those that tasks may import, and everything that
these import in turn.
"""

from __future__ import annotations

import ast
import io
import re
import zipfile
from typing import TYPE_CHECKING

from mlebench.export.templates import TEMPLATES, read_template
from mlebench.ground.version import __version__
from mlebench.tasks.registry import PACKAGE

if TYPE_CHECKING:
    from pathlib import Path

NAME = "mlebench_core"
ARCHIVE = f"{NAME}.zip"
FOR_TASKS = ("errors", "grade_helpers", "ground", "metrics", "preparation", "tasks", "utils")
"""Modules and rooms that the code of tasks may import."""
REPLACED = {"tasks.registry": "registry"}
"""Modules that are not carried, and the modules of the tree that replace them."""
MEMBER_TIME = (1980, 1, 1, 0, 0, 0)
"""The time of all members, so that the same code gives the same bytes."""

_REPLACED_IMPORT = re.compile(
    rf"^(\s*(?:from|import)) mlebench\.({'|'.join(map(re.escape, REPLACED))})\b", re.MULTILINE
)
_IMPORT = re.compile(r"^(\s*(?:from|import)) mlebench(?=[.\s])(?!\.registry\b)", re.MULTILINE)
_PYDANTIC_IMPORT = re.compile(r"^(\s*from) pydantic import", re.MULTILINE)


def core_archive() -> bytes:
    """Return the content of the archive.

    Raises
    ------
    LookupError
        A template or a carried module imports a module of mlebench that does not exist.
    """
    about = f'"""The code of mlebench {__version__} that this tree carries."""\n\n__version__ = "{__version__}"\n'
    members = {"__init__.py": about}
    members |= {path.name: read_template(path) for path in (TEMPLATES / "core").glob("*.py")}
    for path in carried_files():
        source = rename_imports(path.read_text(encoding="utf-8"))
        members[str(path.relative_to(PACKAGE))] = _PYDANTIC_IMPORT.sub(rf"\1 {NAME}.models import", source)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, source in sorted(members.items()):
            archive.writestr(zipfile.ZipInfo(f"{NAME}/{name}", MEMBER_TIME), source, zipfile.ZIP_DEFLATED)
    return out.getvalue()


def rename_imports(source: str) -> str:
    """Return a module's source with imports of mlebench replaced by imports of the carried package."""
    source = _REPLACED_IMPORT.sub(lambda match: f"{match[1]} mlebench.{REPLACED[match[2]]}", source)
    return _IMPORT.sub(rf"\1 {NAME}", source)


def carried_files() -> set[Path]:
    """Return the modules that the archive carries, and the `__init__` modules of their packages."""
    queue = [path for name in FOR_TASKS for path in _files_of_room(name)]
    for template in sorted((TEMPLATES / "mlebench").rglob("*.py")):
        queue += _imported_files(template)
    carried: set[Path] = set()
    replaced = {_find(name) for name in REPLACED}
    while queue:
        path = queue.pop()
        if path not in carried and path not in replaced:
            carried.add(path)
            queue += _imported_files(path)
    return carried


def _files_of_room(name: str) -> list[Path]:
    module = _find(name)
    if module is None:
        raise LookupError(f"An exported tree carries mlebench.{name}, which does not exist.")
    return sorted(module.parent.rglob("*.py")) if module.name == "__init__.py" else [module]


def _imported_files(path: Path) -> list[Path]:
    """Return the modules of mlebench that a file imports, lazy and type-only imports included."""
    files = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and not node.level:
            module = str(node.module)
            inner = [f"{module}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Import):
            module, inner = "", [alias.name for alias in node.names]
        else:
            continue
        for name in [module, *inner]:
            package, _, rest = name.partition(".")
            if package != "mlebench" or rest in ("", "__version__"):
                continue
            found = _find(rest)
            if found is None and (name == module or module in ("", "mlebench")):
                raise LookupError(f"{path.relative_to(PACKAGE)} imports {name}, which does not exist.")
            if found is not None:
                files += [found, *_packages_of(rest)]
    return files


def _find(name: str) -> Path | None:
    """Return the file of a module, such as `tasks.shape`, or None."""
    place = PACKAGE.joinpath(*name.split("."))
    return next((path for path in (place.with_suffix(".py"), place / "__init__.py") if path.is_file()), None)


def _packages_of(name: str) -> list[Path]:
    parents = PACKAGE.joinpath(*name.split(".")).relative_to(PACKAGE).parents
    return [path for parent in parents if parent.name and (path := PACKAGE / parent / "__init__.py").is_file()]
