"""BSON files: documents are found and written as they stand, whatever the order of what is in them."""

from __future__ import annotations

import hashlib
import struct

import numpy as np
import pytest

from benchmarks.rehearsal.formats import bson_bytes
from mlebench.errors import RawDataError
from mlebench.preparation import BsonFile

ODD = b"".join(
    [
        b"\x04imgs\0" + bson_bytes({"0": {"_id": 5, "category_id": 6}}),
        b"\x02name\0\x03\0\0\0ab\0" + b"\x01price\0" + struct.pack("<d", 1.5) + b"\x08new\0\1" + b"\x0anothing\0",
        b"\x10category_id\0" + struct.pack("<i", -7),
        b"\x09time\0" + bytes(8) + b"\x07object\0" + bytes(12),
        b"\x12_id\0" + struct.pack("<q", 2**40),
        b"\x05picture\0\x02\0\0\0\0\0\x10",
    ]
)
"""The elements of a document with keys in another order, in other kinds, and with the same keys further in."""


@pytest.fixture
def documents():
    usual = [{"_id": n, "category_id": n % 3, "imgs": [{"picture": bytes(range(n))}]} for n in range(1, 9)]
    odd = struct.pack("<i", len(ODD) + 5) + ODD + b"\0"
    return [bson_bytes(usual[0]), odd, *map(bson_bytes, usual[1:]), bson_bytes({"_id": 2**33, "category_id": 1})]


@pytest.fixture
def file(documents, tmp_path):
    (tmp_path / "raw.bson").write_bytes(b"".join(documents))
    return BsonFile(tmp_path / "raw.bson", ["_id", "category_id"])


def test_numbers_are_read_at_any_place_and_of_any_width(file):
    assert file.frame["_id"].tolist() == [1, 2**40, *range(2, 9), 2**33]
    assert file.frame["category_id"].tolist() == [1, -7, 2, 0, 1, 2, 0, 1, 2, 1]


def test_documents_are_written_as_they_stand(file, documents, tmp_path):
    for number, positions in enumerate(([0, 1, 2, 5, 6, 9], range(10), [3], [])):
        file.write(np.array(positions, dtype=int), tmp_path / "new" / f"{number}.bson")
        found = (tmp_path / "new" / f"{number}.bson").read_bytes()
        assert found == b"".join(documents[position] for position in positions)


def test_an_element_is_dropped_and_the_length_says_so(file, tmp_path):
    file.write(np.array([0, 1]), tmp_path / "new.bson", drop="category_id")
    first = bson_bytes({"_id": 1, "imgs": [{"picture": b"\0"}]})
    rest = ODD.replace(b"\x10category_id\0" + struct.pack("<i", -7), b"")
    assert (tmp_path / "new.bson").read_bytes() == first + struct.pack("<i", len(rest) + 5) + rest + b"\0"


def test_binary_elements_have_digests_at_any_depth(tmp_path):
    first, second = b"one", b"two"
    documents = [
        {"_id": 1, "imgs": [{"picture": first}, {"picture": second}], "other": first},
        {"_id": 2, "imgs": []},
        {"_id": 3, "picture": second},
    ]
    (tmp_path / "raw.bson").write_bytes(b"".join(map(bson_bytes, documents)))
    found = BsonFile(tmp_path / "raw.bson", ["_id"]).digests("picture")
    expected = [
        int.from_bytes(hashlib.sha256(content).digest()[:8], "little", signed=True) for content in (first, second)
    ]
    assert found["document"].tolist() == [0, 0, 2]
    assert found["digest"].tolist() == [*expected, expected[1]]


def test_a_damaged_picture_is_reported(tmp_path):
    content = bson_bytes({"_id": 1, "imgs": [{"picture": b"one"}]}).replace(b"\x05picture", b"\x44picture")
    (tmp_path / "raw.bson").write_bytes(content)
    file = BsonFile(tmp_path / "raw.bson", ["_id"])
    with pytest.raises(RawDataError, match=r"raw\.bson is damaged"):
        file.digests("picture")


def test_a_damaged_file_is_named(documents, tmp_path):
    whole = b"".join(documents)
    lacking = bson_bytes({"_id": 1, "imgs": []})
    unknown = bson_bytes({"imgs": []}).replace(b"\x04imgs", b"\x44imgs")
    for content in (whole[:-1], whole[:-9], whole + b"\0", whole + bytes(9), lacking, unknown, b"\xff" * 40, b""):
        (tmp_path / "raw.bson").write_bytes(content)
        with pytest.raises(RawDataError, match=r"raw\.bson"):
            BsonFile(tmp_path / "raw.bson", ["_id", "category_id"])
    with pytest.raises(RawDataError, match=r"lack the file absent\.bson"):
        BsonFile(tmp_path / "absent.bson", ["_id"])
