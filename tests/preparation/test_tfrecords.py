"""Reading names out of TFRecord files: records of all kinds of features, and files that are broken."""

from __future__ import annotations

import struct

import pytest

from mlebench.errors import RawDataError
from mlebench.preparation import read_tfrecord_texts


def varint(value):
    low, rest = value & 0x7F, value >> 7
    return bytes([low | 0x80]) + varint(rest) if rest else bytes([low])


def field(number, content):
    return varint(number << 3 | 2) + varint(len(content)) + content


def record(features):
    """Features by name: bytes, a whole number, or a float."""
    entries = b""
    for name, value in features.items():
        match value:
            case bytes():
                kind = field(1, field(1, value))
            case float():
                kind = field(2, field(1, struct.pack("<f", value)))
            case int():
                kind = field(3, varint(1 << 3) + varint(value))
        entries += field(1, field(1, name.encode()) + field(2, kind))
    example = field(1, entries)
    return struct.pack("<Q", len(example)) + b"\0" * 4 + example + b"\0" * 4


RECORDS = [
    record({"image": b"\x0a" * 5000, "age": 45.0, "sex": 300, "image_name": f"ISIC_{number}é".encode(), "target": 1})
    for number in range(3)
]


def test_texts_come_in_file_order(tmp_path):
    (tmp_path / "x.tfrec").write_bytes(b"".join(RECORDS))
    assert read_tfrecord_texts(tmp_path / "x.tfrec", "image_name") == ["ISIC_0é", "ISIC_1é", "ISIC_2é"]


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"".join(RECORDS)[:-1],
        b"".join(RECORDS)[:5100],
        RECORDS[0] + b"\1\2\3",
        RECORDS[0] + record({"image": b"x"}),
        record({"image_name": 7}),
        struct.pack("<Q", 4) + b"\0" * 4 + b"\x0b\x0b\x0b\x0b" + b"\0" * 4,
        struct.pack("<Q", 4) + b"\0" * 4 + b"\x0a\xff\xff\xff" + b"\0" * 4,
    ],
)
def test_a_broken_file_is_named(content, tmp_path):
    (tmp_path / "x.tfrec").write_bytes(content)
    with pytest.raises(RawDataError, match=r"x\.tfrec is cut off, or a record of it lacks the feature 'image_name'"):
        read_tfrecord_texts(tmp_path / "x.tfrec", "image_name")


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(RawDataError, match=r"lack the file x\.tfrec"):
        read_tfrecord_texts(tmp_path / "x.tfrec", "image_name")
