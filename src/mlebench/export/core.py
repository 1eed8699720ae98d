"""The part of this package that an exported tree carries along, in one archive under another name.

A competition's folder of the tree may be copied away together with a few modules, into an environment where mlebench
is not installed and neither are most of its dependencies. So each folder holds the code that prepares and grades it:
`mlebench_core.zip`, the modules listed here, renamed, for the tree's own package is called `mlebench`.
"""

from __future__ import annotations

import io
import re
import zipfile
from typing import TYPE_CHECKING

from mlebench import __version__
from mlebench.export.templates import TEMPLATES, text_of
from mlebench.registry import PACKAGE

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

NAME = "mlebench_core"
ARCHIVE = f"{NAME}.zip"
PARTS = """
    competition data declarations errors extras files grade grader intake kaggle loading matching medals metrics
    preparation reports submission tables utils values
""".split()
"""Modules and packages that preparing and grading need."""
TREES_OWN = ("registry",)
"""Modules that the carried code takes from the tree it lies in."""
LONG_AGO = (1980, 1, 1, 0, 0, 0)
"""The time of all members, so that the same code gives the same bytes."""

_OWN_IMPORT = re.compile(rf"^(\s*(?:from|import)) mlebench(?!\.(?:{'|'.join(TREES_OWN)})\b)(?=[.\s])", re.MULTILINE)
_PYDANTIC = re.compile(r"^(\s*from) pydantic import", re.MULTILINE)


def core_archive() -> bytes:
    """Return the archive's content."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in sorted(_modules()):
            archive.writestr(zipfile.ZipInfo(f"{NAME}/{name}", LONG_AGO), text, zipfile.ZIP_DEFLATED)
    return out.getvalue()


def renamed(source: str) -> str:
    """Return a module's source with imports of the carried package in place of those of mlebench."""
    return _OWN_IMPORT.sub(rf"\1 {NAME}", source)


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
        yield from [module] if module.is_file() else (PACKAGE / part).rglob("*.py")
