"""Plant species from photos of herbarium sheets."""

from pathlib import Path

from mlebench.preparation import split_specimens, write_numbered_answers


def prepare(raw: Path, public: Path, private: Path) -> None:
    write_numbered_answers(split_specimens(raw, public), public, private, guess=0)


def prepare_v2(raw: Path, public: Path, private: Path) -> None:
    test = split_specimens(raw, public, told=("id", "file_name"))
    write_numbered_answers(test, public, private, guess=0)
