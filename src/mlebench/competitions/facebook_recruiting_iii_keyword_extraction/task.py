"""Tags of questions that were asked on many sites."""

from array import array
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple, cast

import numpy as np
import pandas as pd

from mlebench.preparation import read_csv, text_keys, write_csv
from mlebench.preparation.archives import opened
from mlebench.tasks.split import Split

MOST_FREQUENT = "javascript c# python php java"
ROWS = 2**16
"""Questions at a time: all of them as a frame take 15 GB while they are read, and as text 7 GB."""


def prepare(raw: Path, public: Path, private: Path, split: Split) -> None:
    printed = print_questions(read_questions(raw / "Train.zip", dtype={"Id": str, "Tags": str}))
    train, test = (part.index.to_numpy() for part in split(pd.DataFrame(index=range(len(printed.stops)))))
    place_questions(printed, train, test, public, private)
    most_frequent = f",{MOST_FREQUENT}\n"
    shown = printed.starts[test], printed.tags[test]
    write(public / "sample_submission.csv", f"{printed.header},Tags\n", printed.text, *shown, most_frequent)


def prepare_v2(raw: Path, public: Path, private: Path, split: Split) -> None:
    """Read all cells as text; ask each question once in test, and not in train."""
    keys = array("Q")

    def read() -> Iterator[pd.DataFrame]:
        for some in read_questions(raw / "Train.zip", dtype=str, na_filter=False):
            keys.extend(int(key[:16], 16) for key in text_keys(some["Title"] + "\n" + some["Body"]))
            yield some

    printed = print_questions(read())
    train, test = split(pd.DataFrame({"key": np.array(keys)}), content="key")
    test = test.drop_duplicates("key")
    place_questions(printed, train.index.to_numpy(), test.index.to_numpy(), public, private)
    answers = read_csv(private / "test.csv", usecols=["Id", "Tags"], dtype=str, na_filter=False)
    write_csv(answers, private / "test.csv")
    write_csv(answers.assign(Tags=MOST_FREQUENT), public / "sample_submission.csv")


class Printed(NamedTuple):
    """All questions as CSV, and where each starts, its tags start, and it stops."""

    header: str
    text: bytearray
    starts: np.ndarray
    tags: np.ndarray
    stops: np.ndarray


def print_questions(questions: Iterable[pd.DataFrame]) -> Printed:
    """Print the questions one after the other, with the tags behind the rest."""
    header, text = "", bytearray()
    tags, ends = array("q"), array("q")
    for some in questions:
        shown = some.drop(columns="Tags")
        header = ",".join(shown.columns)
        columns = [list(map(printed, some[name].tolist())) for name in (*shown.columns, "Tags")]
        for *cells, asked in zip(*columns, strict=True):
            text += ",".join(cells).encode()
            tags.append(len(text))
            text += f",{asked}\n".encode()
            ends.append(len(text))
    stops = np.array(ends)
    return Printed(header, text, np.concatenate([[0], stops[:-1]]), np.array(tags), stops)


def place_questions(questions: Printed, train: np.ndarray, test: np.ndarray, public: Path, private: Path) -> None:
    """Write the questions at some places, those for testing without their tags."""
    header, text, starts, tags, stops = questions
    write(public / "train.csv", f"{header},Tags\n", text, starts[train], stops[train])
    write(private / "test.csv", f"{header},Tags\n", text, starts[test], stops[test])
    write(public / "test.csv", f"{header}\n", text, starts[test], tags[test], "\n")


def read_questions(path: Path, **options: Any) -> Iterator[pd.DataFrame]:
    """Yield some questions at a time from within a zip, which pandas by itself would inflate in memory."""
    with opened(path) as archive, archive.open(archive.namelist()[0]) as table:
        yield from cast("Any", read_csv(table, chunksize=ROWS, **options))


def printed(cell: Any) -> str:
    """Return a cell as pandas prints it."""
    if not isinstance(cell, str):
        return str(cell) if cell == cell else ""
    return '"' + cell.replace('"', '""') + '"' if "," in cell or '"' in cell or "\n" in cell else cell


def write(path: Path, header: str, text: bytearray, starts: np.ndarray, stops: np.ndarray, tail: str = "") -> None:
    """Write pieces of a text in the order given, each with something behind it."""
    end = tail.encode()
    with path.open("wb") as file:
        file.write(header.encode())
        for first in range(0, len(starts), ROWS):
            places = (bounds[first : first + ROWS].tolist() for bounds in (starts, stops))
            file.write(b"".join([text[start:stop] + end for start, stop in zip(*places, strict=True)]))
