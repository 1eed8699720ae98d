"""Plant species from photos of herbarium sheets."""

from pathlib import Path

from mlebench.preparation import split_specimens


def prepare(raw: Path, public: Path, private: Path) -> None:
    split_specimens(raw, public, private)
