"""The part of this package that an exported tree carries along, in one archive under another name.

A competition's folder of the tree may be copied away together with a few modules, into an environment where mlebench
is not installed and neither are most of its dependencies. So each folder holds the code that prepares and grades it:
`mlebench_core.zip`, the modules listed here, renamed, for the tree's own package is called `mlebench`.
"""

from __future__ import annotations

import ast
import io
import re
import zipfile
from typing import TYPE_CHECKING

from mlebench.export.templates import TEMPLATES, text_of
from mlebench.ground.version import __version__
from mlebench.tasks.registry import PACKAGE

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

NAME = "mlebench_core"
ARCHIVE = f"{NAME}.zip"
PARTS = "errors grade grade_helpers utils ground metrics preparation tasks kaggle data grading".split()
"""Modules and rooms that preparing and grading need."""
OWN = {"tasks.registry": "registry"}
"""Modules that the tree has of its own: the carried code imports those of the tree instead."""
LONG_AGO = (1980, 1, 1, 0, 0, 0)
"""The time of all members, so that the same code gives the same bytes."""

_OWN_IMPORT = re.compile(rf"^(\s*(?:from|import)) mlebench\.(?:{'|'.join(OWN)})\b", re.MULTILINE)
_IMPORT = re.compile(r"^(\s*(?:from|import)) mlebench(?=[.\s])(?!\.registry\b)", re.MULTILINE)
_PYDANTIC = re.compile(r"^(\s*from) pydantic import", re.MULTILINE)


def core_archive() -> bytes:
    """Return the archive's content.

    Raises AssertionError if the carried modules import a module of mlebench that is not carried.
    """
    modules = dict(_modules())
    for name, source in modules.items():
        _require_carried(name, source, modules)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in sorted(modules.items()):
            archive.writestr(zipfile.ZipInfo(f"{NAME}/{name}", LONG_AGO), text, zipfile.ZIP_DEFLATED)
    return out.getvalue()


def renamed(source: str) -> str:
    """Return a module's source with imports of the carried package in place of those of mlebench."""
    with_own = _OWN_IMPORT.sub(lambda match: f"{match[1]} mlebench.{OWN[match[0].partition(' mlebench.')[2]]}", source)
    return _IMPORT.sub(rf"\1 {NAME}", with_own)


def _modules() -> Iterator[tuple[str, str]]:
    """Yield name and source of each carried module; declared models may do without pydantic."""
    yield (
        "__init__.py",
        f'"""The code of mlebench {__version__} that this tree carries."""\n\n__version__ = "{__version__}"\n',
    )
    yield from ((path.name, text_of(path)) for path in (TEMPLATES / "core").glob("*.py"))
    for path in _files():
        source = renamed(path.read_text(encoding="utf-8"))
        yield str(path.relative_to(PACKAGE)), _PYDANTIC.sub(rf"\1 {NAME}.models import", source)


def _files() -> Iterator[Path]:
    for part in PARTS:
        module = PACKAGE / f"{part}.py"
        found = [module] if module.is_file() else list((PACKAGE / part).rglob("*.py"))
        assert found, f"The module or room {part!r}, which an exported tree carries, is not in mlebench."
        yield from (
            path for path in found if str(path.relative_to(PACKAGE).with_suffix("")).replace("/", ".") not in OWN
        )


def _require_carried(name: str, source: str, modules: Mapping[str, str]) -> None:
    """Raise AssertionError if a module imports another one that is neither carried nor the tree's own."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom):
            wanted = [node.module or ""]
        elif isinstance(node, ast.Import):
            wanted = [alias.name for alias in node.names]
        else:
            continue
        for module in wanted:
            package, _, rest = module.partition(".")
            path = rest.replace(".", "/")
            carried = not rest or f"{path}.py" in modules or f"{path}/__init__.py" in modules
            assert package != NAME or carried, (
                f"{name}, which an exported tree carries, imports {module}: carry it too."
            )
            assert package != "mlebench" or rest in OWN.values(), (
                f"{name} imports {module}, which is not the tree's own."
            )
