"""Matlab files of level 5: empty a field of a structure, and leave everything else as it is.

A file is a header of 128 bytes and a sequence of elements, one for each variable. An element is a tag (type and number
of bytes) and data; an array is an element that consists of elements.
"""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mlebench.errors import RawDataError

if TYPE_CHECKING:
    from collections.abc import Iterator

HEADER = 128
TEXT = b"MATLAB 5.0 MAT-file".ljust(116)
"""The first bytes of each file that is written, in place of its date."""
INT32, ARRAY, COMPRESSED = 5, 14, 15
"""Types of elements."""
STRUCTURE = 2
"""A class of arrays."""
MAX_VARIABLE = 2**28
"""Maximum bytes of a compressed variable; larger ones are refused."""
DAMAGE = (struct.error, zlib.error, IndexError, ValueError)


@dataclass(frozen=True)
class _Element:
    kind: int
    data: bytes
    whole: bytes
    """Tag, data and padding."""


def empty_mat_field(content: bytes, variable: str, field: str) -> bytes:
    """Return a Matlab file of level 5 in which a field of a structure is an empty structure.

    The fields of the empty structure keep their names, as in `struct('Name', {})`. All other values keep their types
    and bytes. The header has no date, and the changed variable is not compressed, so the result does not depend on the
    version of a library.

    Parameters
    ----------
    content
        The file.
    variable
        Name of a structure of size 1 x 1.
    field
        Name of its field, which holds a structure of any size.

    Raises
    ------
    RawDataError
        The file is damaged or of another format, or has no such field.

    References
    ----------
    .. [1] MathWorks, "MAT-File Format", the chapter on level 5.
    """
    order = {b"IM": "<", b"MI": ">"}.get(content[126:128])
    if order is None or len(content) < HEADER:
        raise RawDataError("The Matlab file is not of level 5.")
    parts, is_found = [TEXT, content[116:HEADER]], False
    try:
        for element in _elements(content[HEADER:], order):
            changed = _with_empty_field(_inflated(element, order), variable, field, order)
            parts.append(changed or element.whole)
            is_found |= changed is not None
    except DAMAGE:
        raise RawDataError("The Matlab file is damaged.") from None
    if not is_found:
        raise RawDataError(f"The Matlab file has no structure {variable} with a structure {field} in it.")
    return b"".join(parts)


def _with_empty_field(array: _Element, variable: str, field: str, order: str) -> bytes | None:
    """Return a structure with an empty structure in a field; None for any other element."""
    if array.kind != ARRAY:
        return None
    parts = list(_elements(array.data, order))
    if not _is_structure(parts, order) or parts[2].data != variable.encode():
        return None
    names = _field_names(parts, order)
    if struct.unpack(f"{order}{len(parts[1].data) // 4}i", parts[1].data) != (1, 1) or field not in names:
        return None
    place = 5 + names.index(field)
    inner = list(_elements(parts[place].data, order))
    if not _is_structure(inner, order):
        return None
    dimensions = _packed(INT32, struct.pack(f"{order}2i", 0, 0), order)
    emptied = b"".join([inner[0].whole, dimensions, *(part.whole for part in inner[2:5])])
    others = [part.whole for part in parts]
    return _packed(ARRAY, b"".join([*others[:place], _packed(ARRAY, emptied, order), *others[place + 1 :]]), order)


def _is_structure(parts: list[_Element], order: str) -> bool:
    """Whether the parts of an array are flags, dimensions, name, length and names of fields, and then values."""
    return len(parts) >= 5 and struct.unpack(f"{order}I", parts[0].data[:4])[0] & 0xFF == STRUCTURE


def _field_names(parts: list[_Element], order: str) -> list[str]:
    (length,) = struct.unpack(f"{order}i", parts[3].data)
    names = parts[4].data
    return [names[start : start + length].rstrip(b"\0").decode("latin-1") for start in range(0, len(names), length)]


def _inflated(element: _Element, order: str) -> _Element:
    """Return the element inside a compressed one; any other element is returned as it is."""
    if element.kind != COMPRESSED:
        return element
    inflater = zlib.decompressobj()
    content = inflater.decompress(element.data, MAX_VARIABLE)
    if not inflater.eof:
        raise ValueError("a compressed variable is cut off or too large")
    return next(_elements(content, order))


def _elements(data: bytes, order: str) -> Iterator[_Element]:
    """Yield the elements of which data consist; IndexError if the last one is cut off."""
    position = 0
    while position < len(data):
        first, size = struct.unpack_from(f"{order}2I", data, position)
        start, kind = position + 8, first
        if first >> 16:  # up to four bytes, in place of the size
            kind, size = first & 0xFFFF, first >> 16
            start = position + 4
            stop = position + 8
        else:
            stop = start + size
            if kind != COMPRESSED:
                stop += -size % 8
        if start + size > len(data):
            raise IndexError("an element is cut off")
        yield _Element(kind, data[start : start + size], data[position:stop])
        position = stop


def _packed(kind: int, data: bytes, order: str) -> bytes:
    return struct.pack(f"{order}2I", kind, len(data)) + data + bytes(-len(data) % 8)
