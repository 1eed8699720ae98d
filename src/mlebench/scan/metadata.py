"""Whether metadata of files tell answers: times, inode numbers, places in listings and archives, names, row numbers."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import numpy as np

from mlebench.ground.wording import plain
from mlebench.scan.chance import MIN_EFFECT, Evidence, neighbour_association, rank_association, tree_association
from mlebench.scan.finding import Finding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mlebench.scan.material import Material
    from mlebench.scan.targets import Target

    Array = np.ndarray[Any, np.dtype[Any]]

NAMES = {
    "mtime": "time of modification",
    "ctime": "time of change",
    "inode": "inode number",
    "place": "place in its folder or archive",
    "name length": "number of characters of the name",
    "id": "number in the id",
    "row": "row number in the table",
    "sample row": "row number in the sample submission",
}
ABOUT_ROWS = ("id", "row", "sample row", "name length")
"""Metadata whose neighbours the scanner `order` compares."""
REMEDIES = {
    "mtime": "Prepare the data with mlebench prepare, which gives all files one time.",
    "ctime": "Prepare the data with mlebench prepare, which writes files in an order that depends on names alone.",
    "inode": "Prepare the data with mlebench prepare, which writes files in an order that depends on names alone.",
    "place": "Write the members of archives in the order of their names, and give files names that say nothing.",
    "name length": "Give the files names of one length that say nothing.",
    "id": "Draw ids at random, in the preparer of a new version.",
    "row": "Shuffle the rows of the table, in the preparer of a new version.",
    "sample row": "Shuffle the rows of the sample submission, in the preparer of a new version.",
}


def scan_metadata(material: Material) -> Iterator[Finding]:
    """Yield the metadata of test items that go with their answers, alone or together.

    Parameters
    ----------
    material : Material
        The prepared task.
    """
    for where, positions, features in metadata_of(material):
        targets = [target.take(positions) for target in material.test.targets]
        varied = {name: values for name, values in features.items() if np.unique(values).size > 1}
        comparisons = max(1, 2 * len(varied) * len(targets) + 1)
        found = False
        for name, values in varied.items():
            compare = _alone if name in ABOUT_ROWS else _best
            best = max((compare(values, target) for target in targets), key=lambda one: one[1].effect, default=None)
            if best is None or not best[1].is_finding(comparisons):
                continue
            found = True
            target, evidence, kind = best
            yield Finding(
                scanner="metadata",
                what=f"The {NAMES[name]} of test items goes with {plain(target.name)}{kind}.",
                number=round(evidence.effect, 3),
                threshold=MIN_EFFECT,
                file=where,
                column=name,
                remedy=REMEDIES[name],
                details={"p": evidence.p, "items": len(positions), "value": evidence.value, "chance": evidence.chance},
            )
        varied = {name: values for name, values in varied.items() if name not in ABOUT_ROWS}
        if not found and len(varied) > 1:
            yield from _together(where, varied, targets, comparisons)


def metadata_of(material: Material) -> Iterator[tuple[str | None, Array, dict[str, Array]]]:
    """Yield places where test items are: the path, the numbers of the items, and their metadata."""
    test, files = material.test, material.files
    if not len(test):
        return
    everything = np.arange(len(test))
    yield test.table.path if test.table is not None else None, everything, _of_rows(material, everything)
    item_of = material.test_item_of
    for container in np.unique(files.container_of[item_of >= 0]):
        numbers = np.flatnonzero((item_of >= 0) & (files.container_of == container))
        positions, first = np.unique(item_of[numbers], return_index=True)
        if len(positions) < 0.02 * len(test):
            continue
        numbers = numbers[first]
        facts = {name: _ranks(values[numbers]) for name, values in files.facts._asdict().items()}
        del facts["size"]  # follows from the content
        yield files.containers[container] or None, positions, facts


def _of_rows(material: Material, everything: Array) -> dict[str, Array]:
    """Return row numbers, and numbers and lengths of ids that name whole items and are no texts."""
    test = material.test
    rows: dict[str, Array] = {"row": everything.astype(float) if test.rows is None else np.asarray(test.rows, float)}
    if not np.array_equal(np.argsort(rows["row"]), everything):
        rows["sample row"] = everything.astype(float)
    if test.rows is None:
        rows = {"sample row": rows["row"]}
    if test.are_parts:
        return {}
    if not any(" " in key for key in test.keys[:1000]):
        rows["name length"] = np.array([len(key) for key in test.keys], float)
        if (numbers := _numbers(test.keys)) is not None:
            rows["id"] = numbers
    return rows


def _ranks(values: Array) -> Array:
    """Return ranks of integers; as floats, times in nanoseconds would lose their last digits."""
    return np.unique(values, return_inverse=True)[1].astype(float)


def _alone(values: Array, target: Target) -> tuple[Target, Evidence, str]:
    return target, rank_association(values, target), ""


def _best(values: Array, target: Target) -> tuple[Target, Evidence, str]:
    alone, beside = rank_association(values, target), neighbour_association(values, target)
    if beside.effect > alone.effect and beside.p <= max(alone.p, 1e-12):
        return target, beside, ": items next to each other in this order are alike"
    return target, alone, ""


def _together(where: str | None, varied: dict[str, Array], targets: list[Target], count: int) -> Iterator[Finding]:
    for target in targets:
        evidence = tree_association(np.column_stack(list(varied.values())), target)
        if evidence.is_finding(count):
            yield Finding(
                scanner="metadata",
                what=f"A small tree on metadata of test items predicts {plain(target.name)}.",
                number=round(evidence.effect, 3),
                threshold=MIN_EFFECT,
                file=where,
                remedy="Shuffle rows, and give items ids and names that say nothing.",
                details={"p": evidence.p, "metadata": list(varied)},
            )


def _numbers(keys: list[str]) -> Array | None:
    """Return the last number in each key, decimal or else hexadecimal; None if most keys have none."""
    found = [re.findall(r"\d+", key) for key in keys]
    if sum(map(bool, found)) < 0.9 * len(keys):
        return None
    return np.array([float(numbers[-1][:15]) if numbers else np.nan for numbers in found])
