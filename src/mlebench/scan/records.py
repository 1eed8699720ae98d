"""Records inside files: examples of TFRecord files, documents of BSON files, arrays of npz files."""

from __future__ import annotations

import io
import struct
import zipfile
from typing import TYPE_CHECKING, Any

from mlebench.preparation.protobuf import message_fields, read_varint

if TYPE_CHECKING:
    from collections.abc import Iterator

Value = bytes | int | float | list[Any]


def records_of(suffix: str, content: bytes) -> Iterator[dict[str, Value]]:
    """Yield the records of a file as values by name; what cannot be parsed is left out.

    Parameters
    ----------
    suffix : str
        The suffix of the file's name, such as `.tfrec`.
    content : bytes
        The file.
    """
    try:
        match suffix:
            case ".tfrec" | ".tfrecord":
                yield from _tfrecords(content)
            case ".bson":
                yield from _bson(content)
            case ".npz":
                with zipfile.ZipFile(io.BytesIO(content)) as archive:
                    for name in archive.namelist():
                        yield {name: archive.read(name)}
    except (IndexError, ValueError, KeyError, struct.error, zipfile.BadZipFile):
        return


def _tfrecords(content: bytes) -> Iterator[dict[str, Value]]:
    """Yield the features of each `tf.train.Example`.

    A record is a length (8 bytes, little endian), a checksum of 4 bytes, the message, and a checksum of 4 bytes.
    """
    position = 0
    while position + 12 <= len(content):
        start = position + 12
        stop = start + int.from_bytes(content[position : position + 8], "little")
        record: dict[str, Value] = {}
        for features in _messages(content[start:stop], 1):
            for entry in _messages(features, 1):
                name = next(_messages(entry, 1), b"").decode(errors="replace")
                for feature in _messages(entry, 2):
                    record[name] = _feature(feature)
        yield record
        position = stop + 4


def _feature(feature: bytes) -> Value:
    """Return the value of a feature: bytes_list is field 1, float_list 2, int64_list 3; single values come bare."""
    values: list[Any] = []
    for texts in _messages(feature, 1):
        values += _messages(texts, 1)
    for floats in _messages(feature, 2):
        for packed in _messages(floats, 1):
            values += [value for (value,) in struct.iter_unpack("<f", packed[: len(packed) // 4 * 4])]
    for numbers in _messages(feature, 3):
        for packed in _messages(numbers, 1):
            place = 0
            while place < len(packed):
                value, place = read_varint(packed, place)
                values.append(value - (1 << 64) if value >> 63 else value)
        values += [value for value, _ in _plain_varints(numbers)]
    return values[0] if len(values) == 1 else values


def _messages(data: bytes, field: int) -> Iterator[bytes]:
    """Yield the fields with a number in a message that are strings or inner messages."""
    for span in message_fields(data, (0, len(data)), field):
        yield data[slice(*span)]


def _plain_varints(data: bytes) -> Iterator[tuple[int, int]]:
    """Yield the unpacked numbers of field 1."""
    place = 0
    while place < len(data):
        tag, place = read_varint(data, place)
        if tag & 7 == 2:
            length, place = read_varint(data, place)
            place += length
        elif tag & 7 == 0:
            value, place = read_varint(data, place)
            yield value, place
        else:
            return


_SIZES = {0x01: 8, 0x06: 0, 0x07: 12, 0x08: 1, 0x09: 8, 0x0A: 0, 0x10: 4, 0x11: 8, 0x12: 8, 0x13: 16, 0x7F: 0, 0xFF: 0}
"""Size in bytes of the values of each kind of BSON elements."""


def _bson(content: bytes) -> Iterator[dict[str, Value]]:
    """Yield the documents of a BSON file, with those inside them flattened: `imgs.0.picture`."""
    place = 0
    while place + 5 <= len(content):
        length = int.from_bytes(content[place : place + 4], "little")
        if length < 5:
            return
        yield dict(_elements(content[place : place + length], ""))
        place += length


def _elements(document: bytes, prefix: str) -> Iterator[tuple[str, Value]]:
    place = 4
    while place < len(document) and (kind := document[place]):
        end = document.index(b"\0", place + 1)
        name, place = prefix + document[place + 1 : end].decode(errors="replace"), end + 1
        length = int.from_bytes(document[place : place + 4], "little")
        if kind in (0x03, 0x04):
            yield from _elements(document[place : place + length], f"{name}.")
            place += length
        elif kind in (0x02, 0x0D, 0x0E):
            yield name, document[place + 4 : place + 3 + length]
            place += 4 + length
        elif kind == 0x05:
            yield name, document[place + 5 : place + 5 + length]
            place += 5 + length
        else:
            size = _SIZES[kind]
            value = document[place : place + size]
            if kind == 0x01:
                yield name, struct.unpack("<d", value)[0]
            elif kind in (0x08, 0x10, 0x12):
                yield name, int.from_bytes(value, "little", signed=kind != 0x08)
            place += size
