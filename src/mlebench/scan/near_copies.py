"""Near-copies of test items among train items: pictures, texts and rows of numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from mlebench.ground.extras import require
from mlebench.ground.wording import count
from mlebench.scan.agreeing import describe_agreement
from mlebench.scan.chance import sample_positions
from mlebench.scan.copies import MIN_DISTINCT_TEXTS, MIN_TEXT, feature_columns, is_text, normalise, on_test_side
from mlebench.scan.finding import Finding, Pair
from mlebench.scan.pictures import hash_pictures, is_alike, near_pairs
from mlebench.scan.targets import as_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from mlebench.scan.material import Material

    Array = np.ndarray[Any, np.dtype[Any]]

MAX_SHARE = 0.01
"""Share of test items with a near-copy; some occur by chance."""
MAX_CHECKED = 2000
"""Pairs of pictures that are compared pixel by pixel."""
MAX_PAIRS = 24
MIN_JACCARD = 0.8
MIN_SHINGLES = 20
"""Different runs of characters in a text without blanks; those with fewer are alike by chance."""
MAX_TEXTS = 20_000
MAX_ROWS = 5_000
NEAR = 0.02
"""A row is a near-copy if its distance is this part of the usual distance of neighbours among train rows."""
REMEDY = "Keep near-copies on one side: split by groups of items that are alike, in the preparer of a new version."


def scan_near_copies(material: Material) -> Iterator[Finding]:
    """Yield the kinds of test items that are nearly the same as train items, and how often their answers agree.

    Parameters
    ----------
    material : Material
        The prepared task.
    """
    yield from _scan_pictures(material)
    train, test = material.train, material.test
    if train is None or train.table is None or test.table is None:
        return
    columns = feature_columns(test, train, material.declaration.submission.ids)
    texts = [name for name in columns if is_text(test.table.frame[name]) and _is_varied(train.table.frame[name])]
    for name in texts:
        yield from _scan_texts(material, test.table.frame[name], train.table.frame[name], test.table.path)
    numbers = [name for name in columns if pd.api.types.is_float_dtype(test.table.frame[name])]
    if len(numbers) >= 3:
        frames = [table.frame[numbers].apply(pd.to_numeric, errors="coerce") for table in (test.table, train.table)]
        yield from _scan_rows(material, frames[0], frames[1], test.table.path)


def _is_varied(column: pd.Series[Any]) -> bool:
    return bool(column.nunique() > MIN_DISTINCT_TEXTS * len(column))


def _scan_pictures(material: Material) -> Iterator[Finding]:
    numbers, hashes = hash_pictures(material)
    items = material.test_item_of[numbers]
    is_test, is_other = items >= 0, ~on_test_side(material)[numbers]
    tests, others = numbers[is_test], numbers[is_other]
    if not len(tests) or not len(others):
        return
    candidates = list(near_pairs(hashes[is_test], hashes[is_other]))
    if len(candidates) > MAX_CHECKED:
        material.limits.append(f"{MAX_CHECKED:,} of {len(candidates):,} pairs of similar pictures were compared.")
    checked = [candidates[place] for place in sample_positions(len(candidates), MAX_CHECKED)]
    pairs = []
    for one, two in checked:
        left, right = int(tests[one]), int(others[two])
        if is_alike(material.files.read(left), material.files.read(right)):
            pairs.append((left, right))
    scale = len(candidates) / max(1, len(checked))
    rows = [(int(material.test_item_of[left]), int(material.train_item_of[right])) for left, right in pairs]
    shown = [
        Pair(test=material.files.path(left), other=material.files.path(right)) for left, right in pairs[:MAX_PAIRS]
    ]
    yield from _finding(material, "pictures", rows, shown, material.files.container(int(tests[0])), scale)


def _scan_texts(material: Material, test: pd.Series[Any], train: pd.Series[Any], file: str) -> Iterator[Finding]:
    require("scan")
    from datasketch import MinHash, MinHashLSH

    left, right = sample_positions(len(test), MAX_TEXTS // 4), sample_positions(len(train), MAX_TEXTS)
    if len(left) < len(test) or len(right) < len(train):
        material.limits.append(f"{len(left):,} texts of test items were compared with {len(right):,} of train items.")
    index = MinHashLSH(threshold=MIN_JACCARD - 0.1, num_perm=64)
    shingles = {}

    def sketch(grams: set[bytes]) -> Any:
        made = MinHash(num_perm=64, seed=1)
        made.update_batch(list(grams))
        return made

    for position, text in zip(right.tolist(), as_text(train.iloc[right]), strict=True):
        grams = _shingles(text)
        if grams:
            shingles[position] = grams
            index.insert(position, sketch(grams))
        material.advance(1)
    rows = []
    for position, text in zip(left.tolist(), as_text(test.iloc[left]), strict=True):
        grams = _shingles(text)
        for other in index.query(sketch(grams)) if grams else ():
            if len(grams & shingles[other]) / len(grams | shingles[other]) >= MIN_JACCARD and grams != shingles[other]:
                rows.append((position, int(other)))
                break
    yield from _finding(material, f"texts in {str(test.name)!r}", rows, (), file, len(test) / max(1, len(left)))


def _shingles(text: str) -> set[bytes]:
    """Return the triples of words in a text, or its runs of five characters if it has few blanks."""
    plain = normalise(text)
    words = plain.split()
    if len(words) >= 8:
        return {" ".join(words[place : place + 3]).encode() for place in range(len(words) - 2)}
    if len(plain) < MIN_TEXT:
        return set()
    runs = {plain[place : place + 5].encode() for place in range(len(plain) - 4)}
    return runs if len(runs) >= MIN_SHINGLES and "/" not in plain else set()  # URLs are alike by their beginnings


def _scan_rows(material: Material, test: pd.DataFrame, train: pd.DataFrame, file: str) -> Iterator[Finding]:
    from sklearn.neighbors import NearestNeighbors

    left, right = sample_positions(len(test), MAX_ROWS), sample_positions(len(train), 10 * MAX_ROWS)
    middle, spread = train.median(), train.std().replace(0, 1)
    tests, trains = (((table - middle) / spread).fillna(0).to_numpy(float) for table in (test, train))
    if len(trains) < 10:
        return
    near = NearestNeighbors(n_neighbors=2).fit(trains[right])
    usual = float(np.median(near.kneighbors(trains[sample_positions(len(train), MAX_ROWS)])[0][:, 1]))
    distances, places = near.kneighbors(tests[left], n_neighbors=1)
    found = np.flatnonzero((distances[:, 0] < NEAR * usual) & (distances[:, 0] > 0))
    rows = [(int(left[place]), int(right[places[place, 0]])) for place in found]
    yield from _finding(material, "rows", rows, (), file, len(test) / max(1, len(left)))


def _finding(
    material: Material, what: str, rows: list[tuple[int, int]], pairs: Sequence[Pair], file: str, scale: float
) -> Iterator[Finding]:
    """Yield a finding if more test items than by chance have a near-copy; `scale` corrects for sampling."""
    number = len({item for item, _ in rows})
    share = scale * number / max(1, len(material.test))
    if share > MAX_SHARE:
        yield Finding(
            scanner="near_copies",
            what=f"{count(number, 'test item')} {'has' if number == 1 else 'have'} near-copies among the train {what}.",
            number=round(min(1.0, share), 4),
            threshold=MAX_SHARE,
            file=file or None,
            remedy=REMEDY,
            details={"test items": number} | describe_agreement(material, rows),
            pairs=tuple(pairs),
        )
