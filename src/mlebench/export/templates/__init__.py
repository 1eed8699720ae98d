"""Files of an exported tree that are the same for every competition, as they are written.

`core/` joins the archive of carried code; the other folders are those of the tree. In Python files, `mlebench` means
this package where they are read by people and type checkers, and the carried code where they are written.
"""

from pathlib import Path

TEMPLATES = Path(__file__).resolve().parent


def text_of(path: Path) -> str:
    """Return a template's text."""
    return path.read_text(encoding="utf-8")
