"""The public tables of a task: CSV, TSV, JSON, JSON lines and parquet files, also inside archives."""

from __future__ import annotations

import io
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pandas as pd

from mlebench.ground.extras import missing, require
from mlebench.ground.tables import read_csv

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mlebench.scan.files import FileIndex

MAX_CELLS = 20_000_000
"""Cells that are read of a table: its first rows."""
MAX_JSON = 200_000_000
"""Bytes of the largest JSON file that is parsed."""
MANY = 30
"""Tables of one folder, beyond which each of them is an item and not a table of items."""
SUFFIXES = (".csv", ".tsv", ".json", ".jsonl", ".parquet")


@dataclass(frozen=True)
class PublicTable:
    """A table with its path below `public`."""

    path: str
    frame: pd.DataFrame
    is_whole: bool = True
    """Whether all rows were read."""


def read_tables(index: FileIndex) -> Iterator[PublicTable]:
    """Yield the public tables, one at a time; tables that cannot be parsed are left out."""
    chosen = [number for number in range(len(index)) if index.names[number].lower().endswith(SUFFIXES)]
    in_folder: dict[int, int] = {}
    for number in chosen:
        container = int(index.container_of[number])
        in_folder[container] = in_folder.get(container, 0) + 1
    for number in chosen:
        if in_folder[int(index.container_of[number])] < MANY:
            try:
                yield from _read(index, number)
            except (ValueError, OSError, RecursionError, pd.errors.ParserError):
                continue


def _read(index: FileIndex, number: int) -> Iterator[PublicTable]:
    path, suffix = index.path(number), index.suffix(number)
    source: Any = io.BytesIO(index.read(number)) if index.is_member(number) else index.root / path
    if suffix in (".csv", ".tsv"):
        options: dict[str, Any] = {"sep": "\t"} if suffix == ".tsv" else {}
        columns = read_csv(source, nrows=0, **options).columns
        if hasattr(source, "seek"):
            source.seek(0)
        rows = max(1000, MAX_CELLS // max(1, len(columns)))
        frame = read_csv(source, nrows=rows, **options)
        yield PublicTable(path, frame, is_whole=len(frame) < rows)
    elif suffix == ".parquet":
        if not missing(["parquet"]):
            require("parquet")
            from pyarrow import parquet

            file = parquet.ParquetFile(source)
            rows = max(1000, MAX_CELLS // max(1, len(file.schema.names)))
            batch = next(file.iter_batches(batch_size=rows), None)
            if batch is not None:
                yield PublicTable(path, batch.to_pandas(), is_whole=batch.num_rows == file.metadata.num_rows)
    elif index.facts.size[number] <= MAX_JSON:
        yield from _read_json(path, index.read(number).decode("utf-8-sig"))


def _read_json(path: str, text: str) -> Iterator[PublicTable]:
    """Yield the lists of objects in a JSON file, such as `images` and `annotations`, or its lines."""
    try:
        content = json.loads(text)
    except json.JSONDecodeError:
        content = [json.loads(line) for line in text.splitlines() if line.strip()]
    parts = {"": content} if isinstance(content, list) else content if isinstance(content, dict) else {}
    if isinstance(content, dict) and content and all(isinstance(part, dict) for part in content.values()):
        values = list(content.values())  # an object for each id, or a column for each name
        keys = [set(map(str, value)) for value in values[:2]]
        by_column = len(values) > 1 and keys[0] == keys[1] and len(keys[0]) > len(values)
        frame = pd.DataFrame(content) if by_column else pd.DataFrame(values).assign(key=list(content))
        yield PublicTable(path, _flat(frame))
        return
    if "images" in parts and "annotations" in parts:
        yield from _join_annotations(path, parts["images"], parts["annotations"])
    for name, part in parts.items():
        if isinstance(part, list) and part and all(isinstance(item, dict) for item in part):
            yield PublicTable(f"{path}#{name}" if name else path, _flat(pd.DataFrame(part)))


def _join_annotations(path: str, images: Any, annotations: Any) -> Iterator[PublicTable]:
    """Yield the images of a COCO file with the first annotation of each."""
    left, right = pd.DataFrame(images), pd.DataFrame(annotations)
    if {"id", "file_name"} <= set(left.columns) and {"image_id", "category_id"} <= set(right.columns):
        firsts = right.drop_duplicates("image_id").set_index("image_id")["category_id"]
        yield PublicTable(f"{path}#images", _flat(left.assign(category_id=left["id"].map(firsts))))


def _flat(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a table whose lists and objects are text."""
    nested = [name for name in frame.columns if frame[name].map(lambda cell: isinstance(cell, (list, dict))).any()]
    return frame.assign(**{name: frame[name].map(str) for name in nested})
