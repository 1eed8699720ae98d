"""File formats that few makers need: 7z archives, DICOM pictures, parquet tables and BSON, in their smallest form."""

from __future__ import annotations

import struct
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.rehearsal.making import varint
from mlebench.preparation import pack_7z

if TYPE_CHECKING:
    from collections.abc import Mapping


def seven_zip_bytes(files: Mapping[str, bytes]) -> bytes:
    """Return a 7z archive with fixed times and uncompressed members (see `zip_bytes`)."""
    with tempfile.TemporaryDirectory() as folder:
        archive = Path(folder) / "x.7z"
        pack_7z(archive, files, compress=False)
        return archive.read_bytes()


TEXT_PADDING = {"UI": b"\0", "CS": b" ", "LO": b" ", "AS": b" "}
"""Value representations of DICOM that hold text, with the byte that pads them to an even length."""
EXPLICIT_LITTLE_ENDIAN = "1.2.840.10008.1.2.1"
SECONDARY_CAPTURE = "1.2.840.10008.5.1.4.1.1.7"


def dicom_bytes(pixels: np.ndarray, elements: Mapping[int, tuple[str, str]], uid: str) -> bytes:
    """Return an uncompressed DICOM file of a picture.

    Parameters
    ----------
    pixels : array of shape (height, width) or (height, width, 3)
        Values from 0 to 255, grey or RGB.
    elements : mapping of int to (str, str)
        Tags, such as 0x00100020, to value representation and text. The representations are those of `TEXT_PADDING`.
    uid : str
        The identifier of the picture.
    """
    head: dict[int, tuple[str, str | bytes]] = {
        0x00020001: ("OB", b"\0\1"),
        0x00020002: ("UI", SECONDARY_CAPTURE),
        0x00020003: ("UI", uid),
        0x00020010: ("UI", EXPLICIT_LITTLE_ENDIAN),
        0x00020012: ("UI", "2.25.1"),
    }
    colours = 1 if pixels.ndim == 2 else 3
    body: dict[int, tuple[str, str | bytes | int]] = {
        0x00080016: ("UI", SECONDARY_CAPTURE),
        0x00080018: ("UI", uid),
        **elements,
        0x00280002: ("US", colours),
        0x00280004: ("CS", "MONOCHROME2" if colours == 1 else "RGB"),
        **({0x00280006: ("US", 0)} if colours == 3 else {}),
        0x00280010: ("US", pixels.shape[0]),
        0x00280011: ("US", pixels.shape[1]),
        0x00280100: ("US", 8),
        0x00280101: ("US", 8),
        0x00280102: ("US", 7),
        0x00280103: ("US", 0),
        0x7FE00010: ("OB", pixels.astype("uint8").tobytes()),
    }
    meta = b"".join(_element(tag, *value) for tag, value in sorted(head.items()))
    size = struct.pack("<HH2sHI", 0x0002, 0x0000, b"UL", 4, len(meta))
    return b"\0" * 128 + b"DICM" + size + meta + b"".join(_element(tag, *value) for tag, value in sorted(body.items()))


def _element(tag: int, kind: str, value: str | bytes | int) -> bytes:
    if isinstance(value, int):
        content = struct.pack("<H", value)
    else:
        content = value if isinstance(value, bytes) else value.encode()
        content += TEXT_PADDING.get(kind, b"\0") * (len(content) % 2)
    start = struct.pack("<HH2s", tag >> 16, tag & 0xFFFF, kind.encode())
    return start + struct.pack("<HI" if kind == "OB" else "<H", *([0] if kind == "OB" else []), len(content)) + content


I32, I64, TEXT, LIST, STRUCT = 5, 6, 8, 9, 12
"""Types of values in Thrift's compact protocol, in which parquet metadata are written."""
PARQUET_TYPES = {"bool": 0, "int32": 1, "int64": 2, "float32": 4, "float64": 5}


def parquet_bytes(columns: Mapping[str, np.ndarray]) -> bytes:
    """Return a parquet file of numbers and booleans: one row group, one page per column, no compression."""
    rows = len(next(iter(columns.values())))
    schema: list[dict[int, tuple[int, Any]]] = [{4: (TEXT, "schema"), 5: (I32, len(columns))}]
    chunks, data = [], b"PAR1"
    for name, values in columns.items():
        kind, content = PARQUET_TYPES[values.dtype.name], np.ascontiguousarray(values).tobytes()
        if values.dtype == bool:
            content = np.packbits(values, bitorder="little").tobytes()
        plain = {1: (I32, rows), 2: (I32, 0), 3: (I32, 3), 4: (I32, 3)}
        page = _thrift({1: (I32, 0), 2: (I32, len(content)), 3: (I32, len(content)), 5: (STRUCT, plain)}) + content
        described = {
            1: (I32, kind),
            2: (LIST, (I32, [0])),
            3: (LIST, (TEXT, [name])),
            4: (I32, 0),
            5: (I64, rows),
            6: (I64, len(page)),
            7: (I64, len(page)),
            9: (I64, len(data)),
        }
        schema.append({1: (I32, kind), 3: (I32, 0), 4: (TEXT, name)})
        chunks.append({2: (I64, len(data)), 3: (STRUCT, described)})
        data += page
    group = {1: (LIST, (STRUCT, chunks)), 2: (I64, len(data) - 4), 3: (I64, rows)}
    footer = _thrift({1: (I32, 1), 2: (LIST, (STRUCT, schema)), 3: (I64, rows), 4: (LIST, (STRUCT, [group]))})
    return data + footer + struct.pack("<I", len(footer)) + b"PAR1"


def _thrift(fields: Mapping[int, tuple[int, Any]]) -> bytes:
    """Return a struct in Thrift's compact protocol, from types and values by field number, less than 16 apart."""
    parts, last = [], 0
    for number, (kind, value) in fields.items():
        parts += [bytes([number - last << 4 | kind]), _thrift_value(kind, value)]
        last = number
    return b"".join(parts) + b"\0"


def _thrift_value(kind: int, value: Any) -> bytes:
    match kind:
        case 5 | 6:
            return varint(value << 1)  # the lowest bit is the sign
        case 8:
            text: bytes = value.encode()
            return varint(len(text)) + text
        case 9:
            inner, items = value
            size = bytes([len(items) << 4 | inner]) if len(items) < 15 else bytes([0xF0 | inner]) + varint(len(items))
            return size + b"".join(_thrift_value(inner, item) for item in items)
    return _thrift(value)


def bson_bytes(document: Mapping[str, Any]) -> bytes:
    """Return a BSON document of integers (64 bits where 32 are too few), bytes, documents and lists of these."""
    body = b"".join(_bson_element(name, value) for name, value in document.items())
    return struct.pack("<i", len(body) + 5) + body + b"\0"


def _bson_element(name: str, value: Any) -> bytes:
    key = name.encode() + b"\0"
    match value:
        case int():
            small = -(2**31) <= value < 2**31
            return (b"\x10" if small else b"\x12") + key + struct.pack("<i" if small else "<q", value)
        case bytes():
            return b"\x05" + key + struct.pack("<iB", len(value), 0) + value
        case list():
            return b"\x04" + key + bson_bytes({str(place): item for place, item in enumerate(value)})
    return b"\x03" + key + bson_bytes(value)
