"""Scanned pages of text, to be freed of stains and wrinkles pixel by pixel."""

import hashlib
from collections.abc import Iterator
from functools import cache
from pathlib import Path, PurePosixPath

import numpy as np
import pandas as pd

from mlebench.preparation import extract, group_split, member_names, read_member, split_positions

GREYS = [f"{grey / 255}\n" for grey in range(256)]


def prepare(raw: Path, public: Path, private: Path) -> None:
    pages = list_pages(raw)
    _, drawn = split_positions(len(pages), test_size=0.2)
    write_pages([pages[place] for place in sorted(drawn)], raw, public, private)


def prepare_v2(raw: Path, public: Path, private: Path) -> None:
    pages = pd.DataFrame({"page": list_pages(raw)})
    _, test = group_split(pages, pages["page"].map(lambda page: pixels_of(raw, page)), test_size=0.2)
    write_pages(sorted(test["page"]), raw, public, private)


def list_pages(raw: Path) -> list[str]:
    names = map(PurePosixPath, member_names(raw / "train.zip"))
    return sorted(path.name for path in names if str(path.parent) == "train" and path.suffix == ".png")


def pixels_of(raw: Path, page: str) -> str:
    """Return a key of the size and the grey values of a clean page."""
    greys = read_greys(raw / "train_cleaned.zip", f"train_cleaned/{page}")
    return f"{greys.shape} {hashlib.sha256(greys.tobytes()).hexdigest()}"


def write_pages(test: list[str], raw: Path, public: Path, private: Path) -> None:
    noisy, clean = raw / "train.zip", raw / "train_cleaned.zip"
    moved = {f"train/{page}": f"test/{page}" for page in test}
    hidden = {f"train_cleaned/{page}" for page in test}
    extract(noisy, public, want=lambda name: moved.get(name, name))
    extract(clean, public, want=lambda name: None if name in hidden else name)

    private.mkdir(parents=True, exist_ok=True)
    paths = private / "answers.csv", public / "sampleSubmission.csv"
    with paths[0].open("w", encoding="utf-8") as answers, paths[1].open("w", encoding="utf-8") as sample:
        for file in (answers, sample):
            file.write("id,value\n")
        for page in test:
            pixels = read_greys(clean, f"train_cleaned/{page}")
            stem = PurePosixPath(page).stem
            height, width = pixels.shape
            answers.writelines(lines(stem, cells_of(width)[np.arange(width), pixels].tolist()))
            sample.writelines(lines(stem, [[f"{column},1\n" for column in range(1, width + 1)]] * height))


def read_greys(archive: Path, name: str) -> np.ndarray:
    """Return a picture's brightness, from 0 to 255."""
    from PIL import Image

    with Image.open(read_member(archive, name)) as picture:
        return np.asarray(picture.convert("L"))


@cache
def cells_of(width: int) -> np.ndarray:
    """Return the ends of the lines of a row of pixels, `column,value`, by column and grey value: shape (width, 256)."""
    return np.array([[f"{column},{grey}" for grey in GREYS] for column in range(1, width + 1)], dtype=object)


def lines(page: str, rows: list[list[str]]) -> Iterator[str]:
    """Yield the text of each row of pixels, given the ends of its lines: a line `page_row_column,value` a pixel."""
    for number, ends in enumerate(rows, start=1):
        begin = f"{page}_{number}_"
        yield begin + begin.join(ends)
