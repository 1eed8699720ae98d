"""File formats that few makers need: 7z archives and DICOM pictures, as small as they can be."""

from __future__ import annotations

import struct
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from mlebench.preparation import pack_7z

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np


def seven_zip_bytes(files: Mapping[str, bytes]) -> bytes:
    """Return a 7z archive with fixed times, its members stored (see `zip_bytes`)."""
    with tempfile.TemporaryDirectory() as folder:
        archive = Path(folder) / "x.7z"
        pack_7z(archive, files, compress=False)
        return archive.read_bytes()


TEXT_KINDS = {"UI": b"\0", "CS": b" ", "LO": b" ", "AS": b" "}
"""Kinds of DICOM elements that hold text, with what fills them up to an even length."""
EXPLICIT_LITTLE_ENDIAN = "1.2.840.10008.1.2.1"
SECONDARY_CAPTURE = "1.2.840.10008.5.1.4.1.1.7"


def dicom_bytes(pixels: np.ndarray, elements: Mapping[int, tuple[str, str]], uid: str) -> bytes:
    """Return an uncompressed DICOM file of a picture with values from 0 to 255, grey or with a last axis of 3.

    `elements` maps tags, such as 0x00100020, to kind and text, of the kinds in `TEXT_KINDS`.
    """
    head = {
        0x00020001: ("OB", b"\0\1"),
        0x00020002: ("UI", SECONDARY_CAPTURE),
        0x00020003: ("UI", uid),
        0x00020010: ("UI", EXPLICIT_LITTLE_ENDIAN),
        0x00020012: ("UI", "2.25.1"),
    }
    colours = 1 if pixels.ndim == 2 else 3
    body = {
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
        content += TEXT_KINDS.get(kind, b"\0") * (len(content) % 2)
    start = struct.pack("<HH2s", tag >> 16, tag & 0xFFFF, kind.encode())
    return start + struct.pack("<HI" if kind == "OB" else "<H", *([0] if kind == "OB" else []), len(content)) + content
