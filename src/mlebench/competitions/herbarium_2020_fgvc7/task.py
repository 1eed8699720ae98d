"""Plant species from photos of herbarium sheets."""

from pathlib import Path

from mlebench.preparation import split_specimens, write_numbered_answers

FOLDER = "nybg2020"


def prepare(raw: Path, public: Path, private: Path) -> None:
    test = split_specimens(raw / FOLDER, public / FOLDER, encoding="latin-1")  # v1's quirk: the names are UTF-8
    write_numbered_answers(test, public, private, guess=0)


def prepare_v2(raw: Path, public: Path, private: Path) -> None:
    test = split_specimens(raw / FOLDER, public, errors="as_latin_1", told=("id", "file_name"))
    write_numbered_answers(test, public, private, guess=0)
