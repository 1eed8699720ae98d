"""Find exact copies by keys of their content: rows with equal keys are copies of each other.

A function that makes keys returns a series with the index of its argument. A missing key is nobody's copy.
"""

from __future__ import annotations

import hashlib
import os
import struct
import unicodedata
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from mlebench.errors import ArchiveError, RawDataError
from mlebench.ground.wording import plain
from mlebench.preparation.archives import check_member, opened

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    Key = Callable[[pd.DataFrame], pd.Series[Any]]

THREADS = 8
BATCH = 256
CHUNK = 2**20
TAIL = 4096
"""Bytes at the end of a file that tell most files of one size apart."""
LOSSLESS = ("PNG", "BMP", "PPM")
"""Formats that every decoder decodes to the same pixels."""


def without_copies(train: pd.DataFrame, test: pd.DataFrame, key: Key, max_copies: int | None = None) -> pd.DataFrame:
    """Leave out the rows of train that are copies of a row of test.

    Parameters
    ----------
    train, test
        The parts, with the columns that `key` needs.
    key
        Makes the keys of a data frame. It is called once, with the rows of both parts and an index of its own.
    max_copies
        A key that more rows have, in both parts together, is a placeholder, such as a picture that says "no picture":
        its rows stay. None for no placeholders.

    Returns
    -------
    DataFrame
        The other rows of train, in their order.

    Examples
    --------
    >>> train, test = pd.DataFrame({"text": ["A  b", "c", ""]}), pd.DataFrame({"text": ["a b", "d"]})
    >>> without_copies(train, test, lambda rows: text_keys(rows["text"]))["text"].tolist()
    ['c', '']
    """
    codes = key(pd.concat([train, test], ignore_index=True)).factorize()[0]
    counts = np.bincount(codes[codes >= 0])
    in_test = np.zeros(len(counts) + 1, dtype=bool)  # the last place is for missing keys, whose code is -1
    in_test[codes[len(train) :]] = True
    if max_copies is not None:
        in_test[np.flatnonzero(counts > max_copies)] = False
    in_test[-1] = False
    rest: pd.DataFrame = train[~in_test[codes[: len(train)]]]
    return rest


def drop_contradictory(frame: pd.DataFrame, key: Key, label: str | Sequence[str]) -> pd.DataFrame:
    """Leave out the rows whose copies have another label; a missing label is a label of its own.

    Parameters
    ----------
    frame
        The rows.
    key
        Makes the keys of the data frame.
    label
        Column, or columns, with the label.

    Returns
    -------
    DataFrame
        The other rows, in their order. Copies that agree stay.

    Examples
    --------
    >>> rows = pd.DataFrame({"text": ["a", "b", "a", "B"], "label": [0, 1, 1, 1]})
    >>> drop_contradictory(rows, lambda rows: text_keys(rows["text"]), "label").index.tolist()
    [1, 3]
    """
    codes = key(frame).factorize()[0]
    columns = [label] if isinstance(label, str) else list(label)
    labels = frame.groupby(columns, dropna=False, sort=False).ngroup().to_numpy()
    first = np.zeros(len(frame) + 1, dtype=np.int64)
    first[codes[::-1]] = labels[::-1]  # the label of the first copy
    differs = (labels != first[codes]) & (codes >= 0)
    return frame[~np.isin(codes, codes[differs])]


def text_keys(texts: pd.Series[Any]) -> pd.Series[str]:
    """Return keys of texts that ignore case, white space at the ends, the kind of white space, and spelling in Unicode.

    Texts are brought to the normal form NFKC and folded as `str.casefold` does; runs of white space become one blank. A
    missing text has no key.

    Examples
    --------
    >>> keys = text_keys(pd.Series(["Straße ", "STRASSE", "strasse!"]))
    >>> keys.duplicated(keep=False).tolist()
    [True, True, False]
    """

    def key(text: str) -> str:
        folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
        return hashlib.sha256(" ".join(folded.split()).encode("utf-8", "surrogatepass")).hexdigest()

    return texts.astype(object).map(key, na_action="ignore")


def row_keys(frame: pd.DataFrame, columns: Sequence[str]) -> pd.Series[Any]:
    """Return keys of rows by their values in some columns; missing values equal each other, and 1 equals 1.0.

    Keys of different calls cannot be compared.

    Examples
    --------
    >>> row_keys(pd.DataFrame({"x": [1, 1, 2], "y": [0.5, 0.5, 0.5]}), ["x", "y"]).tolist()
    [0, 0, 1]
    """
    return frame.groupby(list(columns), dropna=False, sort=False).ngroup()


def file_keys(folder: Path, names: pd.Series[str] | Iterable[str], *, at_once: bool = False) -> pd.Series[str]:
    """Return keys of files by their bytes: the SHA-256 in hexadecimal.

    Parameters
    ----------
    folder
        A folder.
    names
        Names of files below it, with `/` after sub-folders.
    at_once
        Whether all files that are to be compared are among the names, as in `without_copies`. A file that no other
        equals in size and last bytes is then not read, and its key cannot be compared with those of another call.

    Raises
    ------
    RawDataError
        A file is missing.
    """
    names = _as_series(names)
    with _named_files(folder):
        paths = _paths(folder, names)
        if not at_once:
            return pd.Series(_in_threads(_file_digest, paths), names.index)
        keys = _in_threads(_file_size, paths)
        for function in (_file_tail, _file_digest):
            alike = pd.Series(keys).duplicated(keep=False).to_numpy()
            keys[alike] = _in_threads(function, paths[alike])
    return pd.Series(keys, names.index)


def pixel_keys(folder: Path, names: pd.Series[str] | Iterable[str]) -> pd.Series[str]:
    """Return keys of pictures by mode, size and pixels, whatever their compression and metadata.

    Only pictures of lossless formats (PNG, BMP, PPM) are decoded, since decoders of JPEG differ. Other files, and those
    that cannot be decoded, have the keys of `file_keys`.

    Parameters
    ----------
    folder
        A folder.
    names
        Names of files below it, with `/` after sub-folders.

    Raises
    ------
    RawDataError
        A file is missing.
    """
    names = _as_series(names)
    with _named_files(folder):
        return pd.Series(_in_threads(_pixel_digest, _paths(folder, names)), names.index)


def member_keys(archive: Path, names: pd.Series[str] | Iterable[str], *, at_once: bool = False) -> pd.Series[str]:
    """Return keys of members of a zip archive by their bytes: the SHA-256 in hexadecimal, as in `file_keys`.

    Parameters
    ----------
    archive
        A zip archive.
    names
        Names of members.
    at_once
        As in `file_keys`; a member that no other equals in size and checksum is then not read.

    Raises
    ------
    ArchiveError
        The archive is missing or damaged, or lacks a member.
    """
    names = _as_series(names)
    with opened(archive) as file:
        missing = [name for name in names if name not in file.NameToInfo]
        if missing:
            raise ArchiveError(f"The archive {archive.name} has no member {plain(missing[0])}.")
        members = [file.getinfo(name) for name in names]
        keys = np.empty(len(members), dtype=object)
        keys[:] = [f"{member.file_size} bytes, {member.CRC:08x}" for member in members]
        alike = pd.Series(keys).duplicated(keep=False).to_numpy() | (not at_once)
        for place in sorted(np.flatnonzero(alike), key=lambda place: members[place].header_offset):
            check_member(members[place], archive)
            with file.open(members[place]) as content:
                keys[place] = _content_digest(content)
    return pd.Series(list(keys), names.index, dtype=object)


@contextmanager
def _named_files(folder: Path) -> Iterator[None]:
    """Name a file that is missing in a RawDataError."""
    try:
        yield
    except FileNotFoundError as error:
        name = os.path.relpath(str(error.filename), folder)
        raise RawDataError(f"The raw data lack the file {name} in {folder.name}/.") from None


def _as_series(names: pd.Series[str] | Iterable[str]) -> pd.Series[str]:
    return names if isinstance(names, pd.Series) else pd.Series(list(names), dtype=object)


def _paths(folder: Path, names: pd.Series[str]) -> NDArray[Any]:
    paths = np.empty(len(names), dtype=object)
    paths[:] = [f"{os.fspath(folder)}/{name}" for name in names]
    return paths


def _in_threads(function: Callable[[str], str], paths: NDArray[Any]) -> NDArray[Any]:
    """Apply a function to all paths, in batches: a task for each path would take longer than reading a small file."""
    keys = np.empty(len(paths), dtype=object)
    with ThreadPoolExecutor(THREADS) as pool:
        batch = min(BATCH, len(paths) // (4 * THREADS) + 1)
        starts = range(0, len(paths), batch)
        parts = pool.map(lambda start: list(map(function, paths[start : start + batch])), starts)
        keys[:] = [key for part in parts for key in part]
    return keys


def _file_size(path: str) -> str:
    return f"{os.stat(path).st_size} bytes"  # noqa: PTH116  a Path takes longer


def _file_tail(path: str) -> str:
    with open(path, "rb", buffering=0) as file:  # noqa: PTH123
        size = file.seek(0, os.SEEK_END)
        file.seek(max(0, size - TAIL))
        return f"{size} bytes, {hashlib.sha256(file.read()).hexdigest()}"


def _file_digest(path: str) -> str:
    with open(path, "rb", buffering=0) as file:  # noqa: PTH123
        return _content_digest(file)


def _content_digest(file: IO[bytes]) -> str:
    digest = hashlib.sha256()
    while chunk := file.read(CHUNK):
        digest.update(chunk)
    return digest.hexdigest()


def _pixel_digest(path: str) -> str:
    from PIL import Image

    try:
        with Image.open(path, formats=LOSSLESS) as picture:
            pixels = picture.tobytes()  # raises for a picture that is cut off
            digest = hashlib.sha256(f"{picture.mode} {picture.size} {picture.getpalette('RGB')}".encode())
    except (OSError, SyntaxError, ValueError, EOFError, struct.error, Image.DecompressionBombError):
        return _file_digest(path)
    digest.update(pixels)
    return digest.hexdigest()
