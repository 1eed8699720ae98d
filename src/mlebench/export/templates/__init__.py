"""The files of an exported tree that are the same for every competition.

`core/` joins the archive of carried code; the other folders are those of the tree. In their Python files, `mlebench`
means this package for readers and type checkers, and the carried code once the tree is written.
"""

from pathlib import Path

TEMPLATES = Path(__file__).resolve().parent


def read_template(path: Path) -> str:
    """Return the text of a template."""
    return path.read_text(encoding="utf-8")
