from __future__ import annotations

import io
import struct

import numpy as np
import pytest

from mlebench.scan.records import records_of


def message(field, content):
    assert len(content) < 128
    return bytes([field << 3 | 2, len(content)]) + content


def example(**features):
    entries = b"".join(message(1, message(1, name.encode()) + message(2, value)) for name, value in features.items())
    content = message(1, entries)
    return len(content).to_bytes(8, "little") + bytes(4) + content + bytes(4)


def test_features_of_tfrecords_are_read():
    content = example(
        name=message(1, message(1, b"a.jpg")),
        target=message(3, message(1, b"\x05")),
        weights=message(2, message(1, struct.pack("<2f", 0.5, 2))),
    )
    assert list(records_of(".tfrec", content * 2)) == [{"name": b"a.jpg", "target": 5, "weights": [0.5, 2.0]}] * 2


def test_documents_of_bson_are_read_with_inner_ones():
    inner = b"\x05picture\0" + struct.pack("<i", 3) + b"\0abc"
    inner = struct.pack("<i", len(inner) + 5) + inner + b"\0"
    body = b"\x10_id\0" + struct.pack("<i", 7) + b"\x03imgs\0" + inner
    content = struct.pack("<i", len(body) + 5) + body + b"\0"
    assert list(records_of(".bson", content)) == [{"_id": 7, "imgs.picture": b"abc"}]


def test_arrays_of_npz_are_records():
    out = io.BytesIO()
    np.savez(out, x=np.arange(3))
    assert [list(record) for record in records_of(".npz", out.getvalue())] == [["x.npy"]]


@pytest.mark.parametrize("suffix", [".tfrec", ".bson", ".npz", ".txt"])
def test_damaged_files_have_no_records(suffix):
    assert list(records_of(suffix, b"\xff" * 40)) == []
