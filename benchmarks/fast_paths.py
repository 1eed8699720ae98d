"""What each fast path saves: `python -m benchmarks.fast_paths [NAME …] [--scale 0.1]`.

Each runs beside the plain way of doing the same, on synthetic data of the shape that a task has. The gain is the time
of the plain way over that of the fast path; it is quoted where the fast path is defined. A fast path that gains less
than 1.5 on every task is deleted.
"""

from __future__ import annotations

import argparse
import json
import mmap
import tempfile
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from benchmarks.speed import Result, measure, split_table

if TYPE_CHECKING:
    from collections.abc import Callable

    Work = Callable[[Path], object]


def compare(name: str, folder: Path, fast: Work, plain: Work) -> Result:
    return measure(name, "the plain way", folder, fast, plain)


def rows_of_integers(folder: Path, scale: float) -> Result:
    """`read_rows` on a table of integers, as tabular-playground-series-dec-2021 has it."""
    from mlebench.preparation import read_csv, read_rows, split_positions, write_csv

    draw = np.random.default_rng(0)
    raw = folder / "raw.csv"
    table = pd.DataFrame(draw.integers(0, 2, (int(400_000 * scale), 56)), columns=[f"c{n}" for n in range(56)])
    table.insert(0, "Id", range(len(table)))
    table.to_csv(raw, index=False)

    def lines(scratch: Path) -> None:
        rows = read_rows(raw)
        train, test = map(rows.take, split_positions(len(rows), 0.1))
        train.write(scratch / "train.csv")
        test.write(scratch / "test.csv", drop=["c55"])

    def frame(scratch: Path) -> None:
        rows = read_csv(raw)
        train, test = (rows.iloc[part] for part in split_positions(len(rows), 0.1))
        write_csv(train, scratch / "train.csv")
        write_csv(test.drop(columns="c55"), scratch / "test.csv")

    return compare("rows of integers", folder, lines, frame)


def cells_of_integers(folder: Path, scale: float) -> Result:
    """The first look of `kinds_of_rows`, for tables of integers alone."""
    from mlebench.preparation.rows import cells
    from mlebench.preparation.rows.scan import ends_of_cells

    draw = np.random.default_rng(0)
    text = pd.DataFrame(draw.integers(0, 3, (int(8_000 * scale), 57))).to_csv(None, header=False, index=False)
    content = np.frombuffer(text.encode(), dtype=np.uint8)
    ends = ends_of_cells(content).reshape(-1, 57)
    return compare(
        "cells of integers",
        folder,
        lambda _: [cells.kinds_of_rows(content, ends) for _ in range(30)],
        lambda _: [cells._kinds_of_cells(content, ends.ravel()) for _ in range(30)],
    )


def gather_lines(folder: Path, scale: float) -> Result:
    """`gather` on shuffled short lines, beside joining slices."""
    from mlebench.preparation.rows import gather

    draw = np.random.default_rng(0)
    lengths = draw.integers(12, 20, int(1_000_000 * scale))
    stops = np.cumsum(lengths)
    (folder / "text").write_bytes(draw.integers(48, 58, int(stops[-1]), dtype=np.uint8).tobytes())
    order = draw.permutation(len(lengths))
    starts, stops = (stops - lengths)[order], stops[order]
    blocks = [slice(first, first + 2**15) for first in range(0, len(order), 2**15)]
    with (folder / "text").open("rb") as file:
        text = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)

    def slices(_: Path) -> None:
        for block in blocks:
            pairs = zip(starts[block].tolist(), stops[block].tolist(), strict=True)
            b"".join([text[start:stop] for start, stop in pairs])

    def windows(_: Path) -> None:
        for block in blocks:
            gather(text, starts[block], stops[block])

    return compare("gather", folder, windows, slices)


def match_text_ids(folder: Path, scale: float) -> Result:
    """`match_texts` on a million shuffled ids, beside an index of pandas."""
    from mlebench.tasks.matching import match_texts

    ids = pd.Series([f"id{number:08d}" for number in range(int(1_000_000 * scale))])
    shuffled = ids.sample(frac=1, random_state=0).reset_index(drop=True)

    def plain(_: Path) -> None:
        left, right = pd.Index(shuffled), pd.Index(ids)
        assert left.is_unique
        np.bincount(left.get_indexer(right), minlength=len(left)).all()

    return compare("match text ids", folder, lambda _: match_texts(shuffled, ids), plain)


def decode_masks(folder: Path, scale: float) -> Result:
    """Decoding 20,000 run-length codes together, beside one after the other."""
    from mlebench.metrics.segmentation import Runs, decode_masks, decode_runs, parse_integers

    count = int(20_000 * scale)
    draw = np.random.default_rng(0)
    starts = np.sort(draw.integers(0, 1600, (count, 40)), axis=1) + np.arange(40) * 60 + 1
    numbers = np.stack([starts, draw.integers(1, 60, starts.shape)], axis=2).reshape(count, -1)
    codes = [" ".join(map(str, row)) for row in numbers.tolist()]

    def plain(_: Path) -> None:
        parsed = map(parse_integers, codes)
        Runs.stack([decode_runs(row[::2], row[1::2], 256**2) for row in parsed])

    return compare("decode masks", folder, lambda _: decode_masks(range(count), codes, 256**2), plain)


def indented_json(folder: Path, scale: float) -> Result:
    """`write_indented_json` on the annotations of the herbarium tasks, beside `json.dump`."""
    from mlebench.preparation import write_indented_json

    records = [{"category_id": n % 999, "id": n, "image_id": str(n), "x": 0.5} for n in range(int(300_000 * scale))]
    value = {"annotations": records}

    def plain(scratch: Path) -> None:
        with (scratch / "x.json").open("w") as file:
            json.dump(value, file, indent=4, sort_keys=True)

    return compare("indented JSON", folder, lambda scratch: write_indented_json(value, scratch / "x.json"), plain)


def repack_zip(folder: Path, scale: float) -> Result:
    """`repack` on deflated photos, beside reading and compressing them."""
    from mlebench.preparation import repack

    draw = np.random.default_rng(0)
    with zipfile.ZipFile(folder / "raw.zip", "w", zipfile.ZIP_DEFLATED) as file:
        for number in range(int(2_000 * scale)):
            file.writestr(f"{number}.tif", draw.integers(0, 100, 20_000, dtype=np.uint8).tobytes())

    def plain(scratch: Path) -> None:
        with (
            zipfile.ZipFile(folder / "raw.zip") as old,
            zipfile.ZipFile(scratch / "new.zip", "w", zipfile.ZIP_DEFLATED) as new,
        ):
            for name in old.namelist():
                new.writestr(name, old.read(name))

    return compare(
        "repack", folder, lambda scratch: repack(folder / "raw.zip", scratch / "new.zip", lambda name: name), plain
    )


def split_groups(folder: Path, scale: float) -> Result:
    """`split_each_group` on the species of the herbarium tasks, beside a loop over them."""
    from mlebench.preparation import split_each_group, split_positions

    groups = pd.Series(np.random.default_rng(0).integers(0, 30_000, int(1_000_000 * scale)))

    def plain(_: Path) -> None:
        for rows in groups.groupby(groups, sort=False).indices.values():
            if len(rows) > 1:
                train, test = split_positions(len(rows), 0.2)
                rows[train], rows[test]

    return compare("split each group", folder, lambda _: split_each_group(groups, 0.2, few=5), plain)


def floats_by_digits(folder: Path, scale: float) -> Result:
    """`parse_by_digits`, beside a loop over the cells that does the same."""
    from mlebench.preparation.floats import POWERS, parse_by_digits

    exact = np.random.default_rng(0).normal(size=int(200_000 * scale))
    texts = pd.Series([f"{number:.16f}" for number in exact])

    def plain(_: Path) -> None:
        for text in texts:
            number, behind, digits = 0.0, 0, 0
            point = False
            for character in text:
                if character.isdigit() and digits < 17:
                    number, digits, behind = number * 10 + int(character), digits + 1, behind + point
                point |= character == "."
            number / POWERS[behind]

    return compare("floats by digits", folder, lambda _: parse_by_digits(texts, exact), plain)


def walk_bson(folder: Path, scale: float) -> Result:
    """`BsonFile` on products whose integers come first, as cdiscount has them, beside any order of elements."""
    from mlebench.preparation import BsonFile

    picture = b"\x05picture\0" + (6000).to_bytes(4, "little") + b"\0" + bytes(6000)
    with (folder / "raw.bson").open("wb") as file:
        for number in range(int(100_000 * scale)):
            integers = b"".join(b"\x10%b\0" % name + number.to_bytes(4, "little") for name in (b"_id", b"category_id"))
            body = integers + picture + b"\0"
            file.write((len(body) + 4).to_bytes(4, "little") + body)
    return compare(
        "walk BSON",
        folder,
        lambda _: BsonFile(folder / "raw.bson", ["_id", "category_id"]),
        lambda _: BsonFile(folder / "raw.bson", ["category_id", "_id"]),
    )


def place_names(folder: Path, scale: float) -> Result:
    """`place_files`, which joins paths as text, beside `Path.hardlink_to`."""
    from mlebench.preparation import place_files

    source = folder / "images"
    source.mkdir()
    names = [f"{number:06d}.tif" for number in range(int(20_000 * scale))]
    for name in names:
        (source / name).touch()

    def plain(scratch: Path) -> None:
        for name in names:
            (scratch / name).hardlink_to(source / name)

    return compare("place files", folder, lambda scratch: place_files(names, source, scratch / "train"), plain)


def split_lines(folder: Path, scale: float) -> Result:
    """`read_rows` on a table of texts and decimals, as new-york-city-taxi-fare-prediction has it."""
    return split_table(folder, scale)


FAST_PATHS = {
    function.__name__: function
    for function in (
        split_lines,
        rows_of_integers,
        cells_of_integers,
        gather_lines,
        match_text_ids,
        decode_masks,
        indented_json,
        repack_zip,
        split_groups,
        floats_by_digits,
        walk_bson,
        place_names,
    )
}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.fast_paths", description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(FAST_PATHS))
    parser.add_argument("--scale", type=float, default=1.0, help="share of the full size")
    options = parser.parse_args()
    for name in options.names or FAST_PATHS:
        with tempfile.TemporaryDirectory() as folder:
            result = FAST_PATHS[name](Path(folder), options.scale)
        gain = result.floor_seconds / result.seconds
        print(
            f"{name:<20} {result.seconds:8.3f} s   plain {result.floor_seconds:8.3f} s   gain {gain:5.1f}", flush=True
        )


if __name__ == "__main__":
    main()
