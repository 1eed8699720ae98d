"""Text in headers of DICOM files, without their pixels."""

from __future__ import annotations

import struct
from typing import IO, TYPE_CHECKING

from mlebench.errors import RawDataError

if TYPE_CHECKING:
    from pathlib import Path

IMPLICIT, BIG_ENDIAN, DEFLATED = "1.2.840.10008.1.2", "1.2.840.10008.1.2.2", "1.2.840.10008.1.2.1.99"
"""Transfer syntaxes; all others are explicit and little-endian."""
FIRST, TRANSFER_SYNTAX, LAST_OF_FILE_META = 132, 0x00020010, 0x0002FFFF
ITEM, ITEM_END, SEQUENCE_END = 0xFFFEE000, 0xFFFEE00D, 0xFFFEE0DD
LONG = frozenset({b"OB", b"OD", b"OF", b"OL", b"OV", b"OW", b"SQ", b"SV", b"UC", b"UN", b"UR", b"UT", b"UV"})
"""Value representations whose length has four bytes."""
UNDEFINED = 0xFFFFFFFF
MAX_TEXT = 2**16
MAX_DEPTH = 32


def read_dicom_text(path: Path, tag: int) -> str:
    """Return the text of an element of a DICOM file, without the blanks and zeros at its end.

    Parameters
    ----------
    path
        A DICOM file (part 10), with any pixels.
    tag
        Group and number of the element, such as 0x00100020 for the id of the patient. Elements inside of sequences are
        not looked at.

    Returns
    -------
    str
        The text, read as Latin-1.

    Raises
    ------
    RawDataError
        The file is missing or damaged, its header is compressed, or it has no such element.

    References
    ----------
    .. [1] DICOM PS3.5, section 7 (data set), and PS3.10, section 7 (file format).
    """
    try:
        with path.open("rb") as file:
            text = _find(file, tag)
    except FileNotFoundError:
        raise RawDataError(f"The raw data lack the file {path.name}.") from None
    except (struct.error, ValueError):
        raise RawDataError(f"{path.name} is not a DICOM file that can be read.") from None
    if text is None:
        raise RawDataError(f"{path.name} has no element {tag >> 16:04x},{tag & 0xFFFF:04x}.")
    return text.decode("latin-1").rstrip(" \0")


def _find(file: IO[bytes], wanted: int) -> bytes | None:
    """Return the data of an element; None if there is none."""
    if file.read(FIRST)[128:] != b"DICM":
        raise ValueError("no DICM after 128 bytes")
    syntax = (_search(file, TRANSFER_SYNTAX, "<", explicit=True) or b"").decode("latin-1").rstrip(" \0")
    file.seek(FIRST)
    if wanted >> 16 == 2:
        return _search(file, wanted, "<", explicit=True)
    _search(file, LAST_OF_FILE_META, "<", explicit=True)
    if syntax == DEFLATED:
        raise ValueError("the data set is compressed")
    return _search(file, wanted, ">" if syntax == BIG_ENDIAN else "<", explicit=syntax != IMPLICIT)


def _search(file: IO[bytes], wanted: int, order: str, *, explicit: bool) -> bytes | None:
    """Return the data of an element; None, before the first element with a greater tag, if there is none."""
    while head := file.read(4):
        tag = _tag(head, order)
        if tag > wanted:
            file.seek(-4, 1)
            return None
        kind, length = _kind_and_length(file, order, explicit=explicit)
        if tag == wanted:
            if length > MAX_TEXT:
                raise ValueError("the element is not a short text")
            data = file.read(length)
            if len(data) < length:
                raise ValueError("the element is cut off")
            return data
        _skip(file, length, order, explicit=explicit and kind != b"UN")
    return None


def _tag(head: bytes, order: str) -> int:
    group, number = struct.unpack(f"{order}2H", head)
    return int(group << 16 | number)


def _kind_and_length(file: IO[bytes], order: str, *, explicit: bool) -> tuple[bytes, int]:
    kind = file.read(2) if explicit else b""
    if not explicit:
        (length,) = struct.unpack(f"{order}I", file.read(4))
    elif kind in LONG:
        _, length = struct.unpack(f"{order}HI", file.read(6))
    else:
        (length,) = struct.unpack(f"{order}H", file.read(2))
    return kind, length


def _skip(file: IO[bytes], length: int, order: str, *, explicit: bool, depth: int = 0) -> None:
    """Move behind the data of an element; data of undefined length are items up to a mark."""
    if length != UNDEFINED:
        file.seek(length, 1)
        return
    if depth > MAX_DEPTH:
        raise ValueError("sequences are too deep")
    while (tag := _tag(file.read(4), order)) != SEQUENCE_END:
        (length,) = struct.unpack(f"{order}I", file.read(4))
        if tag != ITEM:
            raise ValueError("a sequence holds something else than items")
        if length != UNDEFINED:
            file.seek(length, 1)
            continue
        while (tag := _tag(file.read(4), order)) != ITEM_END:
            kind, length = _kind_and_length(file, order, explicit=explicit)
            _skip(file, length, order, explicit=explicit and kind != b"UN", depth=depth + 1)
        file.seek(4, 1)
    file.seek(4, 1)
