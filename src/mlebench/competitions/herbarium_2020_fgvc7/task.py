"""Plant species from photos of herbarium sheets."""

from pathlib import Path

from mlebench.preparation import split_specimens


def prepare(raw: Path, public: Path, private: Path) -> None:
    split_specimens(raw, public, private, folder="nybg2020", encoding="latin-1")  # v1's quirk: the names are UTF-8
