"""Copies of test items in other public files: equal bytes of files, members, records and rows, and equal answers."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from mlebench.ground.wording import count, join_names
from mlebench.scan.agreeing import describe_agreement
from mlebench.scan.files import INSIDE
from mlebench.scan.finding import Finding, Pair
from mlebench.scan.pictures import SUFFIXES, open_picture
from mlebench.scan.records import records_of
from mlebench.scan.targets import as_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from mlebench.scan.material import Items, Material

    Array = np.ndarray[Any, np.dtype[Any]]

MIN_SIZE = 32
"""Bytes of the smallest file or record whose copies count."""
MIN_TEXT = 20
"""Characters of the shortest text whose copies count."""
MIN_LETTERS = 0.4
"""Share of letters in a text; lists of numbers have fewer."""
WITH_RECORDS = (".tfrec", ".tfrecord", ".bson", ".npz")
MIN_DISTINCT_ROWS, MIN_DISTINCT_TEXTS = 0.9, 0.2
"""Shares of different rows, or texts, in the train table; if there are fewer, equal ones say nothing."""
DARK = 8
"""Grey value below which a pixel is black."""
MAX_SHARE = 0.0
MAX_PAIRS = 24
MAX_EQUAL = 50
"""Test items with the same bytes that count."""
TEST_SIDE = re.compile(r"(^|[^a-z])test", re.IGNORECASE)
REMEDY = "Leave what equals a test item out of the other public files, in the preparer of a new version."


def scan_copies(material: Material) -> Iterator[Finding]:
    """Yield the test items whose bytes, records, texts or rows are also elsewhere in the public data.

    Parameters
    ----------
    material : Material
        The prepared task.
    """
    yield from _scan_files(material)
    yield from _scan_rows(material)


def _scan_files(material: Material) -> Iterator[Finding]:
    hashes, owners = _hash_files(material)
    items, trains = material.test_item_of[owners], material.train_item_of[owners]
    order = np.argsort(hashes, kind="stable")
    hashes, owners, items, trains = hashes[order], owners[order], items[order], trains[order]
    starts = np.flatnonzero(np.r_[True, hashes[1:] != hashes[:-1]]) if len(hashes) else np.zeros(0, int)
    is_test = (items >= 0) | on_test_side(material)[owners]
    ends = np.r_[starts[1:], len(hashes)]
    tests_in = np.add.reduceat(is_test, starts) if len(starts) else starts
    mixed = np.flatnonzero((tests_in > 0) & (tests_in < ends - starts))
    pairs: dict[tuple[str, str], list[tuple[int, int]]] = {}  # by the folders of the test item and its copy
    for group in mixed.tolist():
        members = range(starts[group], ends[group])
        others = [member for member in members if not is_test[member]]
        for one in [member for member in members if items[member] >= 0][:MAX_EQUAL]:
            if _is_blank(material, int(owners[one])):
                break
            where = _folder(material, owners[one]), _folder(material, owners[others[0]])
            pairs.setdefault(where, []).append((one, others[0]))
    for (place, other), found in sorted(pairs.items()):
        rows = [(int(items[one]), int(trains[two])) for one, two in found]
        number = len({item for item, _ in rows})
        yield _finding(
            material,
            f"{count(number, 'test item')} in {place} {'has' if number == 1 else 'have'} a copy in {other}.",
            place,
            rows,
            pairs=[
                Pair(test=material.files.path(int(owners[one])), other=material.files.path(int(owners[two])))
                for one, two in found[:MAX_PAIRS]
            ],
        )


def _hash_files(material: Material) -> tuple[Array, Array]:
    """Return a digest of 8 bytes for each file and record that may be an item, and the number of its file.

    Only files of a size that occurs twice can be copies. Records inside files are always read.
    """
    files = material.files
    size = files.facts.size
    _, inverse, counts = np.unique(size, return_inverse=True, return_counts=True)
    chosen = (counts[inverse] > 1) & (size >= MIN_SIZE)
    has_records = np.fromiter((files.suffix(number) in WITH_RECORDS for number in range(len(files))), bool)
    digests, owners = [], []
    for number, content in files.read_all(np.flatnonzero(chosen | has_records)):
        if chosen[number]:
            digests.append(_digest(content))
            owners.append(number)
        for record in records_of(files.suffix(number), content) if has_records[number] else ():
            digests += [_digest(value) for value in record.values() if isinstance(value, bytes) and len(value) >= 256]
            owners += [number] * (len(digests) - len(owners))
        material.advance(1)
    return np.array(digests, dtype=np.uint64), np.array(owners, dtype=np.int64)


def on_test_side(material: Material) -> Array:
    """Return for each public file whether its folder or archive is named after the test part, and not after others."""
    files = material.files
    is_named = [bool(TEST_SIDE.search(name)) and "train" not in name for name in files.containers]
    by_folder = np.array(is_named, bool)[files.container_of]
    by_name = np.fromiter((name.lower().startswith("test") for name in files.names), bool, len(files))
    return np.asarray(by_folder | by_name | (material.test_item_of >= 0))


def _digest(content: bytes) -> int:
    return int.from_bytes(hashlib.sha256(content).digest()[:8], "little")


def _scan_rows(material: Material) -> Iterator[Finding]:
    """Compare the rows of the test and train table, without ids and answers, and their texts."""
    test, train = material.test, material.train
    if test.table is None or train is None or train.table is None:
        return
    columns = feature_columns(test, train, material.declaration.submission.ids)
    groups = [("the row", columns)] if len(columns) > 1 else []
    groups += [(f"the text in {name!r}", [name]) for name in columns if is_text(test.table.frame[name])]
    seen: set[int] = set()
    for what, names in groups:
        left, right = (_row_hashes(items.table.frame[names]) for items in (test, train) if items.table)
        where = pd.Index(right).drop_duplicates()
        first = np.flatnonzero(~pd.Index(right).duplicated())
        places = where.get_indexer(pd.Index(left))
        matched = np.flatnonzero((places >= 0) & (left != 0))
        rows = [(int(item), int(first[places[item]])) for item in matched]
        is_telling = len(where) > (MIN_DISTINCT_TEXTS if len(names) == 1 else MIN_DISTINCT_ROWS) * len(right)
        if not rows or not is_telling or seen >= set(matched.tolist()):
            continue
        seen |= set(matched.tolist())
        have = "has" if len(rows) == 1 else "have"
        yield _finding(
            material,
            f"{count(rows, 'test item')} {have} {what} of an item in {train.table.path}.",
            test.table.path,
            rows,
            column=join_names(names) if len(names) == 1 else None,
        )


def feature_columns(test: Items, train: Items, ids: Sequence[str]) -> list[str]:
    """Return the columns that both tables have, without ids, answers and columns that name each row."""
    assert test.table is not None and train.table is not None
    answers = {name for target in test.targets for name in target.columns} | set(ids)
    shared = [name for name in test.table.frame.columns if name in train.table.frame.columns and name not in answers]
    return [name for name in shared if not _is_row_name(test.table.frame[name])]


def _is_row_name(column: pd.Series[Any]) -> bool:
    """Return whether a column names the rows: short words without blanks or whole numbers, all different."""
    if not column.is_unique or len(column) < 2 or pd.api.types.is_float_dtype(column):
        return False
    if pd.api.types.is_integer_dtype(column):
        return bool((column.diff().dropna() == 1).all()) or str(column.name).lower().endswith("id")
    texts = as_text(column)
    return bool((texts.str.len() < 60).all() and not texts.str.contains(r"\s").any())


def is_text(column: pd.Series[Any]) -> bool:
    """Return whether a column holds texts such as sentences."""
    if pd.api.types.is_numeric_dtype(column):
        return False
    texts = as_text(column)
    letters = texts.head(200).str.count(r"[^\W\d_]").sum() / max(1, texts.head(200).str.len().sum())
    return bool(texts.str.len().median() >= MIN_TEXT and letters > MIN_LETTERS)


def _row_hashes(table: pd.DataFrame) -> Array:
    """Return a hash of each row, of its texts without case and blanks; 0 for rows that say nothing."""
    texts = [as_text(table[name]) for name in table.columns]
    normal = [
        text if pd.api.types.is_numeric_dtype(table[name]) else text.map(normalise)
        for name, text in zip(table.columns, texts, strict=True)
    ]
    joined = normal[0]
    for other in normal[1:]:
        joined = joined + "\x1f" + other
    hashes = pd.util.hash_array(joined.to_numpy(object))
    if len(table.columns) == 1:
        hashes[(joined.str.len() < MIN_TEXT).to_numpy()] = 0
    return np.asarray(hashes)


def normalise(text: str) -> str:
    """Return a text in lower case with single blanks, in one form of Unicode."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def _finding(
    material: Material,
    what: str,
    file: str,
    rows: list[tuple[int, int]],
    *,
    pairs: Sequence[Pair] = (),
    column: str | None = None,
) -> Finding:
    items = {item for item, _ in rows}
    return Finding(
        scanner="copies",
        what=what,
        number=round(len(items) / max(1, len(material.test)), 4),
        threshold=MAX_SHARE,
        file=file,
        column=column,
        remedy=REMEDY,
        details={"test items": len(items)} | describe_agreement(material, rows),
        pairs=tuple(pairs),
    )


def _folder(material: Material, number: int) -> str:
    """Return the archive, or the folder directly below `public`, in which a file is."""
    container = material.files.container(number)
    if container.endswith(INSIDE):
        return container
    return container.partition("/")[0] + "/" if container else material.files.names[number]


def _is_blank(material: Material, number: int) -> bool:
    """Return whether a file is a black or white picture, which says nothing."""
    if not material.files.names[number].lower().endswith(SUFFIXES):
        return False
    picture = open_picture(material.files.read(number), 64)
    return picture is not None and (max(picture.tobytes()) < DARK or min(picture.tobytes()) > 255 - DARK)
