"""Tables, pictures and archives as bytes that are the same on every call; all makers share them."""

from __future__ import annotations

import importlib
import io
import struct
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from PIL import Image

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

FIXED_TIME = (1980, 1, 1, 0, 0, 0)
SHARED_MODULES = {"__init__", "__main__", "formats", "leaves", "making", "sounds", "traps"}


def makers() -> list[str]:
    """Return the ids of the competitions that have a maker."""
    modules = (path.stem for path in Path(__file__).parent.glob("*.py"))
    return sorted(name.removeprefix("_").replace("_", "-") for name in modules if name not in SHARED_MODULES)


def make(competition_id: str) -> dict[str, bytes]:
    """Return the rehearsal data of a competition, by file name."""
    name = competition_id.replace("-", "_")
    module = importlib.import_module(f"{__package__}.{'_' if name[0].isdigit() else ''}{name}")
    files: dict[str, bytes] = module.make(np.random.default_rng(20_260_101))
    return files


def make_archive(competition_id: str) -> bytes:
    """Return the content of a competition's `rehearsal.zip`."""
    return zip_bytes(make(competition_id), compress=True)


def csv_bytes(frame: pd.DataFrame) -> bytes:
    """Return a table as CSV text."""
    return frame.to_csv(index=False, lineterminator="\n").encode()


def zip_bytes(files: Mapping[str, bytes], *, compress: bool = False) -> bytes:
    """Return a zip archive with fixed times.

    Do not compress inner archives: the outermost archive then compresses their content better.
    """
    buffer = io.BytesIO()
    method = zipfile.ZIP_DEFLATED if compress else zipfile.ZIP_STORED
    with zipfile.ZipFile(buffer, "w", method, compresslevel=9) as archive:
        for name, content in sorted(files.items()):
            member = zipfile.ZipInfo(name, FIXED_TIME)
            member.compress_type = method
            member.external_attr = 0o644 << 16
            archive.writestr(member, content)
    return buffer.getvalue()


def picture_bytes(pixels: np.ndarray, kind: str, **options: Any) -> bytes:
    """Return a `JPEG` or `PNG` file of pixels from 0 to 255, of shape (height, width) or (height, width, 3)."""
    buffer = io.BytesIO()
    Image.fromarray(pixels.astype(np.uint8)).save(buffer, kind, optimize=True, **options)
    return buffer.getvalue()


def with_copies(
    rng: np.random.Generator, contents: Sequence[bytes], labels: Iterable[object], share: float
) -> list[bytes]:
    """Return contents of which a share are copies of others with the same label."""
    copied = list(contents)
    places = pd.Series(range(len(copied))).groupby(list(labels))
    for _, same in places:
        order = rng.permutation(same.to_numpy())
        pairs = int(share * len(order) + 0.5)
        for place, other in zip(order[:pairs], order[pairs:], strict=False):
            copied[place] = copied[other]
    return copied


def hexadecimal_ids(rng: np.random.Generator, count: int, digits: int = 10) -> list[str]:
    """Return different ids of hexadecimal digits, in random order."""
    ids: dict[str, None] = {}
    while len(ids) < count:
        ids["".join(rng.choice(list("0123456789abcdef"), digits))] = None
    return list(ids)


def tfrecord_bytes(records: Iterable[Mapping[str, bytes | int]]) -> bytes:
    """Return a TFRecord file of `tf.train.Example` records, each with bytes and integers by name."""
    parts = []
    for record in records:
        entries = [_field(1, _field(1, name.encode()) + _field(2, _feature(value))) for name, value in record.items()]
        example = _field(1, b"".join(entries))
        length = struct.pack("<Q", len(example))
        parts += [length, _checksum(length), example, _checksum(example)]
    return b"".join(parts)


def _feature(value: bytes | int) -> bytes:
    """Return a list of one value: field 1 for bytes, field 3 for integers (packed)."""
    return _field(1, _field(1, value)) if isinstance(value, bytes) else _field(3, _field(1, varint(value)))


def _field(number: int, content: bytes) -> bytes:
    return varint(number << 3 | 2) + varint(len(content)) + content


def varint(value: int) -> bytes:
    """Return a variable-length integer of Protocol Buffers and Thrift."""
    groups = []
    while value > 0x7F:
        groups.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*groups, value])


def _checksum(content: bytes) -> bytes:
    """Return the CRC-32C (Castagnoli), rotated and shifted as in TFRecord files."""
    crc = 0xFFFFFFFF
    for byte in content:
        crc = crc >> 8 ^ _CASTAGNOLI[(crc ^ byte) & 0xFF]
    crc ^= 0xFFFFFFFF
    return struct.pack("<I", ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF)


def _castagnoli() -> list[int]:
    table = np.arange(256)
    for _ in range(8):
        table = np.where(table & 1, table >> 1 ^ 0x82F63B78, table >> 1)
    return [int(value) for value in table]


_CASTAGNOLI = _castagnoli()
