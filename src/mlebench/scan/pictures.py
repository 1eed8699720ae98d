"""Difference hashes of public pictures, and whether two pictures are nearly the same."""

from __future__ import annotations

import io
import itertools
import warnings
from typing import TYPE_CHECKING, Any

import numpy as np

from mlebench.ground.extras import require
from mlebench.ground.wording import format_size

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from PIL.Image import Image

    from mlebench.scan.material import Material

    Array = np.ndarray[Any, np.dtype[Any]]

SUFFIXES = (".png", ".jpg", ".jpeg", ".bmp", ".gif", ".tif", ".tiff", ".webp")
MAX_BYTES = 4_000_000_000
"""Bytes of pictures that are decoded: first those of test items, then a random sample of the others."""
MAX_PIXELS = 50_000_000
MIN_SIDE = 16
"""Pixels of the shorter side of a picture; smaller ones are alike by chance."""
BATCH = 256
"""Pictures that are decoded at a time."""
MANY = 5_000
"""Pictures, beyond which two processes decode them."""
MIN_CORRELATION = 0.96
"""Of the colours of two pictures that are nearly the same, apart from the mean of each channel."""
MAX_DIFFERENCE = 20.0
"""Mean difference of the colours of two such pictures, of 256."""
MIN_CONTRAST = 4.0
"""Standard deviation of the grey values below which a picture is blank."""


def choose_pictures(material: Material) -> Array:
    """Return the numbers of the pictures to decode, those of test items first."""
    files = material.files
    numbers = np.array([n for n in range(len(files)) if files.names[n].lower().endswith(SUFFIXES)], dtype=np.int64)
    if not len(numbers):
        return numbers
    is_test = material.test_item_of[numbers] >= 0
    others = numbers[~is_test]
    order = np.concatenate([numbers[is_test], np.random.default_rng(4).permutation(others)])
    sizes = np.cumsum(files.facts.size[order])
    chosen = order[: int(np.searchsorted(sizes, MAX_BYTES)) + 1]
    if len(chosen) < len(order):
        material.limits.append(
            f"{len(chosen):,} of {len(order):,} pictures were compared, which are {format_size(MAX_BYTES)}."
        )
    return chosen


def hash_pictures(material: Material) -> tuple[Array, Array]:
    """Return the numbers of the pictures, and their difference hashes as uint64; blank pictures are left out."""
    from joblib import Parallel, delayed

    chosen = choose_pictures(material)
    numbers, hashes = [], []
    batches = _batches(material, chosen)
    jobs = 2 if len(chosen) > MANY else 1
    for batch in Parallel(n_jobs=jobs, return_as="generator", pre_dispatch=2 * jobs)(map(delayed(_hash_all), batches)):
        for number, value in batch:
            if value is not None:
                numbers.append(number)
                hashes.append(value)
        material.advance(len(batch))
    return np.array(numbers, dtype=np.int64), np.array(hashes, dtype=np.uint64)


def _batches(material: Material, numbers: Array) -> Iterator[list[tuple[int, bytes]]]:
    contents = material.files.read_all(numbers)
    while batch := list(itertools.islice(contents, BATCH)):
        yield batch


def _hash_all(batch: list[tuple[int, bytes]]) -> list[tuple[int, int | None]]:
    require("scan")
    import imagehash

    return [(number, _hash(content, imagehash.dhash)) for number, content in batch]


def open_picture(content: bytes, side: int, mode: str = "L") -> Image | None:
    """Return a picture, by default in grey, decoded in at least `side` pixels if its format can; None if it is none."""
    from PIL import Image

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            picture = Image.open(io.BytesIO(content))
            if picture.width * picture.height > MAX_PIXELS:
                return None
            picture.draft(mode, (side, side))
            return picture.convert(mode)
    except (OSError, ValueError, SyntaxError, EOFError, Image.DecompressionBombError):
        return None


def is_alike(one: bytes, other: bytes) -> bool:
    """Return whether two pictures, which are not equal files, show nearly the same."""
    if one == other:
        return False
    left, right = _thumbnail(one), _thumbnail(other)
    if left is None or right is None or abs(left - right).mean() > MAX_DIFFERENCE:
        return False
    parts = [(part - part.mean(axis=(0, 1))).ravel() for part in (left, right)]
    return float(np.corrcoef(*parts)[0, 1]) >= MIN_CORRELATION


def near_pairs(left: Array, right: Array, distance: int = 4) -> Iterator[tuple[int, int]]:
    """Yield pairs of positions whose hashes differ in at most so many of their 64 bits; one pair for each left hash.

    Hashes are cut into `distance` + 1 bands; two such hashes agree in one of them.

    Parameters
    ----------
    left, right : array of shape (n,), uint64
        Hashes.
    distance : int
        The number of bits.
    """
    edges = np.linspace(0, 64, distance + 2).astype(int)
    best = np.full(len(left), 65)
    partner = np.full(len(left), -1)
    for low, high in itertools.pairwise(edges.tolist()):
        mask = np.uint64((1 << (high - low)) - 1)
        keys = [(hashes >> np.uint64(low)) & mask for hashes in (left, right)]
        order = np.argsort(keys[1], kind="stable")
        ordered = keys[1][order]
        for key in np.unique(keys[0]):
            first, last = np.searchsorted(ordered, key, "left"), np.searchsorted(ordered, key, "right")
            if first == last:
                continue
            mine, theirs = np.flatnonzero(keys[0] == key), order[first:last]
            for start in range(0, len(mine), 256):
                rows = mine[start : start + 256]
                bits = _count_bits(left[rows][:, None] ^ right[theirs][None, :])
                nearest = bits.argmin(axis=1)
                found = bits[np.arange(len(rows)), nearest]
                closer = found < best[rows]
                best[rows[closer]], partner[rows[closer]] = found[closer], theirs[nearest[closer]]
    for position in np.flatnonzero(best <= distance).tolist():
        yield position, int(partner[position])


def _hash(content: bytes, difference_hash: Callable[[Image], Any]) -> int | None:
    picture = open_picture(content, 64)
    if picture is None:
        return None
    if min(picture.size) < MIN_SIDE:
        return None
    small = picture.resize((32, 32))
    if np.asarray(small).std() < MIN_CONTRAST:
        return None
    return int.from_bytes(np.packbits(difference_hash(picture).hash).tobytes(), "little")


def _thumbnail(content: bytes) -> Array | None:
    """Return the colours of 16 by 16 pixels; None for blank pictures and other files."""
    picture = open_picture(content, 64, "RGB")
    if picture is None:
        return None
    colours = np.asarray(picture.resize((16, 16)), float)
    return colours if (colours - colours.mean(axis=(0, 1))).std() >= MIN_CONTRAST else None


def _count_bits(values: Array) -> Array:
    """Return the number of ones in each uint64."""
    values = values - ((values >> np.uint64(1)) & np.uint64(0x5555555555555555))
    values = (values & np.uint64(0x3333333333333333)) + ((values >> np.uint64(2)) & np.uint64(0x3333333333333333))
    values = (values + (values >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return (values * np.uint64(0x0101010101010101)) >> np.uint64(56)
