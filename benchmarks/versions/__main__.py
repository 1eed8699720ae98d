"""Run the study of v1 and v2, and write its page: `python -m benchmarks.versions [FOLDER]`, a few minutes.

Data and runs go into the folder, or into a temporary one.
"""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from .page import page
from .study import TASKS, study

PAGE = Path(__file__).parents[2] / "docs" / "study-v2.md"

if __name__ == "__main__":
    with TemporaryDirectory() as scratch:
        PAGE.write_text(page(study(TASKS, Path(sys.argv[1] if sys.argv[1:] else scratch))), encoding="utf-8")
