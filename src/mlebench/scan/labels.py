"""Answers in public bytes that name a test item: fields of records, JSON, Matlab and text files, other tables."""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections import defaultdict
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from mlebench.ground.wording import plain
from mlebench.scan.chance import Evidence, agreement, rank_association, sample_positions
from mlebench.scan.copies import on_test_side
from mlebench.scan.finding import Finding
from mlebench.scan.records import records_of
from mlebench.scan.targets import as_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mlebench.scan.material import Material
    from mlebench.scan.targets import Target

    Array = np.ndarray[Any, np.dtype[Any]]
    Fields = dict[str, Any]

MIN_CERTAINTY = 0.5
"""Effect of a field that goes with the answers: far more than a feature has."""
MIN_SHARE = 0.2
"""Share of test items whose own answer is in their bytes, beyond that of another item's answer."""
MIN_ANSWER = 4
"""Characters of the shortest answer that is searched in bytes."""
MAX_FILES = 2_000
"""Test items whose files are opened."""
MAX_SIZE = 4_000_000
"""Bytes of the largest file in which answers are searched."""
WITH_NUMBERS = (".txt", ".nmea", ".log", ".csv", ".json", ".xml", ".gpx")
MAX_FIELDS = 300
TELLING = re.compile(
    r"label|target|answer|truth|annotation|polygon|geometry|(^|\.)class(es)?$|diagnosis", re.IGNORECASE
)
"""Names of fields that hold answers."""
REMEDY = "Leave the field, or the file, out of the test items, in the preparer of a new version."


def scan_labels(material: Material) -> Iterator[Finding]:
    """Yield fields, texts and tables that hold the answers of the test items that they name.

    Parameters
    ----------
    material : Material
        The prepared task.
    """
    fields = _fields_of_items(material)
    for (kind, name), values in sorted(fields.items()):
        yield from _scan_field(material, kind, name, values)
    yield from _scan_texts(material)
    yield from _scan_numbers(material)
    yield from _scan_tables(material)


def _fields_of_items(material: Material) -> dict[tuple[str, str], dict[int, Any]]:
    """Return the values of each field by the number of the test item; fields are named by kind of file and name."""
    files, items = material.files, material.test_item_of
    numbers = np.flatnonzero(items >= 0)
    chosen = numbers[sample_positions(len(numbers), MAX_FILES)]
    on_side: list[int] = np.flatnonzero(on_test_side(material)).tolist()
    with_records = [number for number in on_side if files.suffix(number) in (".tfrec", ".tfrecord")]
    fields: dict[tuple[str, str], dict[int, Any]] = defaultdict(dict)
    for number, content in files.read_all(chosen):
        kind = _kind(material, number)
        for name, value in fields_of(files.names[number].lower(), content).items():
            fields[kind, name][int(items[number])] = value
        material.advance(1)
    number_of = {_stem(key): number for number, key in enumerate(material.test.keys)}
    for number, content in files.read_all(with_records[:50]):
        for record in records_of(files.suffix(number), content):
            values = {name: _text_of(value) for name, value in record.items()}
            item = next((number_of[stem] for value in values.values() if (stem := _stem(value)) in number_of), None)
            if item is not None:
                for name, value in values.items():
                    fields[files.container(number), name][item] = value
    return fields


def fields_of(name: str, content: bytes) -> Fields:
    """Return the fields of a JSON or Matlab file, or of those in a zip, by their paths; empty for other files.

    Parameters
    ----------
    name : str
        The file's name in lower case.
    content : bytes
        The file.
    """
    try:
        if name.endswith((".json", ".geojson")):
            return dict(_flat(json.loads(content), ""))
        if name.endswith(".mat"):
            from scipy.io import loadmat

            return dict(_flat(loadmat(io.BytesIO(content), simplify_cells=True), ""))
        if name.endswith(".zip"):
            with zipfile.ZipFile(io.BytesIO(content)) as archive:
                inner = [info.filename for info in archive.infolist() if info.file_size <= MAX_SIZE]
                return {key: value for one in inner for key, value in fields_of(one.lower(), archive.read(one)).items()}
    except Exception:  # noqa: BLE001  parsers of foreign formats may raise anything
        return {}
    return {}


def _scan_field(material: Material, kind: str, name: str, values: dict[int, Any]) -> Iterator[Finding]:
    """Yield a finding if a field goes with the answers, or has the name of answers and is filled."""
    items = np.array(sorted(values))
    cells = pd.Series([values[item] for item in items.tolist()], dtype=object)
    for target in material.test.targets:
        evidence = _certainty(cells, target.take(items))
        if evidence.effect > MIN_CERTAINTY and evidence.is_finding(max(1, len(material.test.targets) * 20)):
            what = f"The field {plain(name)} of test items goes with {plain(target.name)}."
            yield _finding(what, evidence.effect, MIN_CERTAINTY, kind, name, {"p": evidence.p, "items": len(items)})
            return
    column = {target.columns[0].lower() for target in material.test.targets if len(target.columns) == 1}
    filled = cells.map(lambda cell: cell not in ("", None, "[]", "{}"))
    is_named = TELLING.search(name) is not None or name.rpartition(".")[2].lower() in column
    if is_named and filled.mean() > 0.5 and cells.astype(str).nunique() > 1:
        what = f"The field {plain(name)}, which has the name of an answer, is filled for test items."
        yield _finding(what, float(filled.mean()), 0.5, kind, name, {"items": len(items)})


def _certainty(cells: pd.Series[Any], target: Target) -> Evidence:
    """Return how well a field predicts a target: by equal values if they repeat, and by ranks if they are numbers."""
    numbers = pd.to_numeric(cells, errors="coerce")
    found = [Evidence(0.0, 1.0, 0.0, 0.0)]
    if numbers.notna().mean() > 0.9 and target.form != "length":
        found.append(rank_association(numbers.to_numpy(float), target))
    if target.classes is not None:
        names = pd.Index(target.classes).get_indexer(pd.Index(as_text(cells.infer_objects())))
        found.append(agreement(names, target))
    codes, levels = pd.factorize(cells.astype(str))
    if 1 < len(levels) <= 0.5 * len(cells) and target.classes is not None:
        known = target.values >= 0
        table = np.zeros((len(levels), len(target.classes)))
        np.add.at(table, (codes[known], target.values[known]), 1)
        guesses = np.full(len(cells), -1)
        for place in np.flatnonzero(known).tolist():
            row = table[codes[place]].copy()
            row[target.values[place]] -= 1
            if row.sum() > 0:
                guesses[place] = int(row.argmax())
        found.append(agreement(guesses, target))
    return max(found, key=lambda evidence: evidence.effect)


def _scan_texts(material: Material) -> Iterator[Finding]:
    """Search the answer of each test item in the bytes of its own files, and the answer of another item as well."""
    answers = _answer_texts(material)
    if answers is None:
        return
    files, items = material.files, material.test_item_of
    numbers = np.flatnonzero((items >= 0) & (files.facts.size <= MAX_SIZE))
    chosen = numbers[sample_positions(len(numbers), MAX_FILES)]
    others = np.random.default_rng(8).permutation(len(answers))
    hits: dict[str, list[tuple[bool, bool]]] = defaultdict(list)
    for number, content in files.read_all(chosen):
        own, other = answers[items[number]], answers[others[items[number]]]
        if len(own) >= MIN_ANSWER and own != other:
            hits[_kind(material, number)].append((own in content, other in content))
    for kind, found in sorted(hits.items()):
        shares = np.array(found, float).mean(axis=0)
        if len(found) >= 3 and shares[0] - shares[1] > MIN_SHARE and shares[0] > MIN_SHARE:
            what = f"Files {plain(kind)} of test items contain their answers as text."
            yield _finding(what, float(shares[0] - shares[1]), MIN_SHARE, kind, None, {"items": len(found)})


def _scan_numbers(material: Material) -> Iterator[Finding]:
    """Search the numbers of test items with several rows in their own text files, also as degrees and minutes."""
    answers, files = material.answers, material.files
    if answers is None or len(material.test) < 2 or len(answers) < 3 * len(material.test):
        return
    columns = [name for name in material.target_names if pd.api.types.is_float_dtype(answers[name])]
    numbers = np.flatnonzero((material.test_item_of >= 0) & (files.facts.size <= MAX_SIZE))
    texts = [number for number in numbers.tolist() if files.suffix(number) in WITH_NUMBERS]
    rows = [np.flatnonzero(material.item_of_row == item)[:MAX_FIELDS] for item in range(len(material.test))]
    hits: dict[tuple[str, str], list[tuple[float, float]]] = defaultdict(list)
    for number, content in files.read_all(texts[:MAX_FILES]):
        item = int(material.test_item_of[number])
        found = _numbers_in(content)
        for name in columns:
            shares = [_share_of(answers[name].iloc[rows[each]], found) for each in (item, (item + 1) % len(rows))]
            hits[_kind(material, number), name].append((shares[0], shares[1]))
    for (kind, name), pairs in sorted(hits.items()):
        own, other = np.array(pairs).mean(axis=0)
        if own - other > MIN_SHARE:
            what = f"Files {plain(kind)} of test items contain their {plain(name)}."
            yield _finding(what, float(own - other), MIN_SHARE, kind, name, {"items": len(pairs)})


def _numbers_in(content: bytes) -> set[int]:
    """Return the numbers in a text in units of 0.0001, without signs, also those that are degrees and minutes."""
    values = np.array([float(text) for text in re.findall(rb"\d{1,9}\.\d{3,}", content)[:1_000_000]])
    degrees = np.floor(values / 100)
    both = np.concatenate([values, degrees + (values - 100 * degrees) / 60])
    return set(np.rint(both * 10_000).astype(np.int64).tolist())


def _share_of(values: pd.Series[Any], found: set[int]) -> float:
    """Return the share of numbers that are among those found, or next to one of them."""
    near = np.rint(values.dropna().abs().to_numpy() * 10_000).astype(np.int64).tolist()
    return float(np.mean([bool({value - 1, value, value + 1} & found) for value in near])) if near else 0.0


def _answer_texts(material: Material) -> list[bytes] | None:
    answers, names = material.answers, material.target_names
    if answers is None or len(names) != 1 or len(answers) != len(material.test):
        return None
    texts = as_text(answers[names[0]])
    return [text.encode() for text in texts] if texts.str.len().median() >= MIN_ANSWER else None


def _scan_tables(material: Material) -> Iterator[Finding]:
    """Look for columns of other tables that name test items and go with their answers."""
    keys = pd.Index(material.test.keys)
    for table in material.tables:
        if material.test.table is not None and table.path == material.test.table.path:
            continue
        for name in table.frame.columns:
            if pd.api.types.is_float_dtype(table.frame[name]):
                continue
            places = keys.get_indexer(pd.Index(as_text(table.frame[name])))
            rows = np.flatnonzero(places >= 0)
            items, first = np.unique(places[rows], return_index=True)
            if len(items) < max(8, 0.05 * len(keys)) or pd.api.types.is_integer_dtype(table.frame[name]):
                continue
            for other in table.frame.columns:
                cells = table.frame[other].iloc[rows[first]].reset_index(drop=True)
                if other == name or cells.nunique() < 2:
                    continue
                for target in material.test.targets:
                    evidence = _certainty(cells, target.take(items))
                    if evidence.effect > MIN_CERTAINTY and evidence.is_finding(20 * table.frame.shape[1]):
                        what = (
                            f"The column {plain(other)} of {table.path} goes with {plain(target.name)} of test items."
                        )
                        details = {"p": evidence.p, "items": len(items)}
                        yield _finding(what, evidence.effect, MIN_CERTAINTY, table.path, str(other), details)
                        break


def _finding(
    what: str, number: float, threshold: float, file: str, column: str | None, details: dict[str, Any]
) -> Finding:
    return Finding(
        scanner="labels",
        what=what,
        number=round(number, 3),
        threshold=threshold,
        file=file or None,
        column=column,
        remedy=REMEDY,
        details=details,
    )


def _kind(material: Material, number: int) -> str:
    """Return the folder and the form of a file's name, such as `test/*-anatomy.json`."""
    name = material.files.names[number].rpartition("/")[2]
    key = material.test.keys[material.test_item_of[number]].rpartition("/")[2].partition(".")[0]
    container = material.files.container(number)
    if key not in name:
        container = f"{container.rstrip('/').rpartition('/')[0]}/*/" if key in container else container
        return container + (name if key in material.files.container(number) else "*" + material.files.suffix(number))
    return container + name.replace(key, "*")


def _flat(value: Any, prefix: str, depth: int = 0) -> Iterator[tuple[str, Any]]:
    """Yield the scalars in nested values by their paths; long lists are one text."""
    if isinstance(value, dict) and depth < 6:
        for name, inner in list(value.items())[:MAX_FIELDS]:
            if not str(name).startswith("__"):
                yield from _flat(inner, f"{prefix}.{name}" if prefix else str(name), depth + 1)
    elif isinstance(value, list) and value and isinstance(value[0], dict) and depth < 6:
        yield f"{prefix}.number" if prefix else "number", len(value)
        yield from _flat(value[0], prefix, depth + 1)
    elif isinstance(value, np.ndarray):
        yield prefix, str(value.tolist())[:2000] if value.size <= 10_000 else f"array of {value.shape}"
    else:
        yield prefix, value if isinstance(value, (int, float)) else str(value)[:2000]


def _text_of(value: Any) -> Any:
    if isinstance(value, bytes):
        return value.decode(errors="replace") if len(value) < 256 else f"{len(value)} bytes"
    return value if isinstance(value, (int, float)) else str(value)[:2000]


def _stem(value: Any) -> str:
    return str(value).rpartition("/")[2].partition(".")[0]
