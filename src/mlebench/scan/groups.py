"""Groups of items, such as patients or sessions, that are on both sides and whose members have like answers."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from mlebench.ground.wording import count, plain
from mlebench.scan.chance import MAX_P, MIN_EFFECT, NOTHING, Evidence, agreement
from mlebench.scan.finding import Finding, NothingToScanError
from mlebench.scan.targets import as_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mlebench.scan.material import Items, Material
    from mlebench.scan.targets import Target

    Array = np.ndarray[Any, np.dtype[Any]]

MIN_GROUPS = 10
"""With fewer values, a column is a feature and no name of groups."""
MAX_GROUP = 0.1
"""A value with a larger share of the rows is a feature and no name of a group."""


@dataclass(frozen=True)
class Grouping:
    """A name of a group for each train and test item; the empty text for none."""

    source: str
    """The column or part of the name that holds it."""
    file: str | None
    train: pd.Series[Any]
    test: pd.Series[Any]
    column: str | None = None


def scan_groups(material: Material) -> Iterator[Finding]:
    """Yield the groupings whose groups are on both sides and say more about answers than chance.

    Parameters
    ----------
    material : Material
        The prepared task.
    """
    train, test = material.train, material.test
    if train is None or not train.targets:
        raise NothingToScanError("No public table holds train items with answers.")
    groupings = [each for each in groupings_of(material) if _is_grouping(each)]
    for grouping in groupings:
        best: tuple[Target | None, Evidence] = (None, NOTHING)
        for known in train.targets:
            asked = next(target for target in test.targets if target.columns == known.columns)
            evidence = agreement(_guesses(grouping.train, grouping.test, known), asked)
            if evidence.effect > best[1].effect and _beats_neighbours(grouping, known, asked):
                best = asked, evidence
        target, evidence = best
        if target is not None and evidence.is_finding(len(groupings) * len(train.targets)):
            shared = set(grouping.train) & set(grouping.test) - {""}
            yield Finding(
                scanner="groups",
                what=(
                    f"{count(shared, 'value')} of {grouping.source} {'is' if len(shared) == 1 else 'are'} on both "
                    f"sides, and items with the same value are alike in {plain(target.name)}."
                ),
                number=round(evidence.effect, 3),
                threshold=MIN_EFFECT,
                file=grouping.file,
                column=grouping.column,
                remedy="Split by these groups (group_split), in the preparer of a new version.",
                details={
                    "p": evidence.p,
                    "value": evidence.value,
                    "chance": evidence.chance,
                    "test items": int(grouping.test.isin(shared).sum()),
                },
            )


def groupings_of(material: Material) -> Iterator[Grouping]:
    """Yield the columns of the tables, and the beginnings of ids and file names, that could name groups."""
    train, test, ids = material.train, material.test, material.declaration.submission.ids
    assert train is not None
    if train.table is not None and test.table is not None:
        answers = {name for target in train.targets for name in target.columns}
        for name in test.table.frame.columns:
            if name in train.table.frame.columns and name not in answers and name not in ids:
                yield Grouping(
                    plain(name),
                    test.table.path,
                    as_text(train.table.frame[name]),
                    as_text(test.table.frame[name]),
                    str(name),
                )
    for part, (left, right) in _parts(train.keys, test.keys).items():
        yield Grouping(part, None, left, right)
    yield from _groupings_of_files(material, train, test)


def _groupings_of_files(material: Material, train: Items, test: Items) -> Iterator[Grouping]:
    """Yield the folders of items, and the beginnings of their names if these are not the ids."""
    names: list[list[str]] = []
    for items, numbers in ((train, material.train_item_of), (test, material.test_item_of)):
        found = [""] * len(items)
        for number in np.flatnonzero(numbers >= 0).tolist():
            found[numbers[number]] = material.files.path(number)
        names.append(found)
    if not any(names[0]) or not any(names[1]):
        return
    stems = [[name.rpartition("/")[2].partition(".")[0] for name in side] for side in names]
    if stems[1] != test.keys:
        for part, (left, right) in _parts(stems[0], stems[1]).items():
            yield Grouping(part.replace("id", "file name"), None, left, right)


def _parts(left: list[str], right: list[str]) -> dict[str, tuple[pd.Series[Any], pd.Series[Any]]]:
    """Return the first parts of names on both sides: up to each separator, and the letters or digits at the start."""
    cuts = {
        "the beginning of the id": r"^(.+?)[_\-. |:/]",
        "the id without its last part": r"^(.+)[_\-. |:/][^_\-. |:/]*$",
        "the letters at the beginning of the id": r"^([A-Za-z]+)\d",
        "the second part of the id": r"^[^_\-. |:/]+[_\-. |:/]([^_\-. |:/]+)[_\-. |:/]",
    }
    found: dict[str, tuple[pd.Series[Any], pd.Series[Any]]] = {}
    for name, pattern in cuts.items():
        cut = re.compile(pattern)
        sides = [[match[1] if (match := cut.search(text)) else "" for text in side] for side in (left, right)]
        if all(any(side) for side in sides):
            pair = pd.Series(sides[0], dtype=object), pd.Series(sides[1], dtype=object)
            if not any(pair[1].equals(other[1]) for other in found.values()):
                found[name] = pair
    return found


def _is_grouping(grouping: Grouping) -> bool:
    """Return whether values repeat, are on both sides, and are many: names of groups rather than a feature."""
    both = pd.concat([grouping.train, grouping.test])
    both = both[both != ""]
    sizes = both.value_counts()
    if len(sizes) < MIN_GROUPS or sizes.iloc[0] > max(5, MAX_GROUP * len(both)):
        return False
    return bool(grouping.test.isin(set(grouping.train) - {""}).sum() >= 3) and len(sizes) < 0.95 * len(both)


def _guesses(train: pd.Series[Any], test: pd.Series[Any], known: Target) -> Array:
    """Return for each test item the most frequent class, or the mean, of the train items of its group."""
    usable = known.is_known & (train != "").to_numpy()
    values = pd.Series(known.values[usable]).groupby(train.to_numpy()[usable])
    by_group = values.agg(lambda group: group.mode().iloc[0]) if known.is_class else values.mean()
    return np.asarray(test.map(by_group).fillna(-1 if known.is_class else np.nan), dtype=float)


def _beats_neighbours(grouping: Grouping, known: Target, asked: Target) -> bool:
    """Return whether equal values tell more than the nearest other values; smooth features fail this sign test."""
    from scipy import stats

    train, test = (pd.to_numeric(side, errors="coerce") for side in (grouping.train, grouping.test))
    levels = np.sort(train.dropna().unique())
    if train.notna().mean() < 0.9 or test.notna().mean() < 0.9 or len(levels) < 3:
        return True
    places = np.clip(np.searchsorted(levels, test.fillna(levels[0])), 0, len(levels) - 1)
    near = np.where(levels[places] == test, np.where(places > 0, places - 1, 1), places)
    same = _guesses(grouping.train, grouping.test, known)
    beside = _guesses(train.astype(str), pd.Series(levels[near]).astype(str), known)
    answers = asked.values
    if asked.is_class:
        usable = (same >= 0) & (beside >= 0) & (answers >= 0)
        better, worse = (same == answers) & (beside != answers), (same != answers) & (beside == answers)
    else:
        usable = np.isfinite(same) & np.isfinite(beside) & np.isfinite(answers)
        better, worse = abs(same - answers) < abs(beside - answers), abs(same - answers) > abs(beside - answers)
    wins, losses = int((better & usable).sum()), int((worse & usable).sum())
    return wins + losses > 0 and stats.binomtest(wins, wins + losses, alternative="greater").pvalue < MAX_P
