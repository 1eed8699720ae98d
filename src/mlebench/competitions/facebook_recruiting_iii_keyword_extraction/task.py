"""Tags of questions that were asked on many sites."""

from array import array
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import numpy as np
import pandas as pd

from mlebench.preparation import read_csv, split_positions
from mlebench.preparation.archives import opened

MOST_FREQUENT = "javascript c# python php java"
ROWS = 2**16
"""Questions at a time: all of them as a frame take 15 GB while they are read, and as text 7 GB."""


def prepare(raw: Path, public: Path, private: Path) -> None:
    """Print the questions one after the other, with the tags behind the rest, and write them in another order."""
    header, text = "", bytearray()
    tags, ends = array("q"), array("q")
    for some in read_questions(raw / "Train.zip"):
        shown = some.drop(columns="Tags")
        header = ",".join(shown.columns)
        columns = [list(map(printed, some[name].tolist())) for name in (*shown.columns, "Tags")]
        for *cells, asked in zip(*columns, strict=True):
            text += ",".join(cells).encode()
            tags.append(len(text))
            text += f",{asked}\n".encode()
            ends.append(len(text))

    stops = np.array(ends)
    starts = np.concatenate([[0], stops[:-1]])
    train, test = split_positions(len(stops), test_size=0.1)
    write(public / "train.csv", f"{header},Tags\n", text, starts[train], stops[train])
    write(private / "test.csv", f"{header},Tags\n", text, starts[test], stops[test])
    stops = np.array(tags)
    write(public / "test.csv", f"{header}\n", text, starts[test], stops[test], "\n")
    write(public / "sample_submission.csv", f"{header},Tags\n", text, starts[test], stops[test], f",{MOST_FREQUENT}\n")


def read_questions(path: Path) -> Iterator[pd.DataFrame]:
    """Yield some questions at a time from within a zip, which pandas by itself would inflate in memory."""
    with opened(path) as archive, archive.open(archive.namelist()[0]) as table:
        yield from cast("Any", read_csv(table, dtype={"Id": str, "Tags": str}, chunksize=ROWS))


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
