"""Fields of Matlab files, as SciPy writes and reads them."""

from __future__ import annotations

import contextlib
import io
import struct
import zlib

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.io import loadmat, savemat

from mlebench.errors import RawDataError
from mlebench.preparation import empty_mat_field

NAMES = ["Name", "Begin", "End"]


def structures(count: int) -> np.ndarray:
    rows = np.empty((1, count), dtype=[(name, object) for name in NAMES])
    for row in range(count):
        rows[0, row] = ("vattene" * row, row, float(row))
    return rows


def make(labels, *, compressed=False, long_names=False) -> bytes:
    file = io.BytesIO()
    frames = np.empty((1, 2), dtype=[("Skeleton", object)])
    for row in range(2):
        frames[0, row] = ({"World": np.arange(60, dtype=np.int16).reshape(20, 3) + row},)
    video = {"NumFrames": 2, "Rate": 20.5, "Labels": labels, "Frames": frames, "Word": "é", "Mask": np.eye(3) > 0}
    variables = {"before": np.uint8([1, 2, 3]), "Video": video, "Labels": structures(1), "after": {"Labels": 7}}
    savemat(file, variables, do_compression=compressed, long_field_names=long_names)
    return file.getvalue()


def load(content: bytes) -> dict[str, np.ndarray]:
    return loadmat(io.BytesIO(content))


@pytest.mark.parametrize("long_names", [False, True])
@pytest.mark.parametrize("compressed", [False, True])
@pytest.mark.parametrize("count", [0, 1, 5])
def test_the_field_is_empty_and_all_else_is_as_it_was(count, compressed, long_names):
    content = make(structures(count), compressed=compressed, long_names=long_names)
    changed = empty_mat_field(content, "Video", "Labels")
    before, after = load(content), load(changed)
    labels = after["Video"]["Labels"][0, 0]
    assert labels.size == 0
    assert list(labels.dtype.names) == NAMES
    assert b"vattene" not in changed
    before["Video"]["Labels"][0, 0] = after["Video"]["Labels"][0, 0] = None
    assert before.keys() == after.keys()
    for name in ("before", "Video", "Labels", "after"):
        assert repr(before[name]) == repr(after[name])
        assert before[name].dtype == after[name].dtype


def test_the_result_depends_on_nothing_but_the_values():
    results = {empty_mat_field(make(structures(count)), "Video", "Labels") for count in (1, 2, 9)}
    assert len(results) == 1
    assert results.pop().startswith(b"MATLAB 5.0 MAT-file   ")


def test_big_endian_files_are_read():
    def element(kind, data):
        return struct.pack(">2I", kind, len(data)) + data + bytes(-len(data) % 8)

    def structure(name, size, names, values):
        fields = b"".join(field.ljust(32, b"\0") for field in names)
        parts = [element(6, struct.pack(">2I", 2, 0)), element(5, struct.pack(">2i", *size)), element(1, name)]
        return element(14, b"".join([*parts, struct.pack(">2Hi", 4, 5, 32), element(1, fields), *values]))

    def number(value):
        parts = [element(6, struct.pack(">2I", 6, 0)), element(5, struct.pack(">2i", 1, 1)), element(1, b"")]
        return element(14, b"".join([*parts, element(9, struct.pack(">d", value))]))

    labels = structure(b"", (1, 1), [b"Begin"], [number(3)])
    video = structure(b"Video", (1, 1), [b"Rate", b"Labels"], [number(20.5), labels])
    content = b"MATLAB".ljust(116) + bytes(8) + b"\1\0MI" + video
    assert load(content)["Video"]["Labels"][0, 0]["Begin"][0, 0] == 3
    changed = load(empty_mat_field(content, "Video", "Labels"))["Video"]
    assert changed["Rate"][0, 0] == 20.5
    assert changed["Labels"][0, 0].shape == (0, 0)


@pytest.mark.parametrize(
    ("variable", "field"),
    [("Video", "Word"), ("Video", "labels"), ("before", "Labels"), ("after", "Labels"), ("x", "y")],
)
def test_a_field_that_is_not_there_is_named(variable, field):
    with pytest.raises(RawDataError, match=f"no structure {variable} with a structure {field} in it"):
        empty_mat_field(make(structures(2)), variable, field)


@pytest.mark.parametrize("content", [b"", b"MATLAB 7.3 MAT-file".ljust(512, b"\0"), b"x" * 127])
def test_other_formats_are_refused(content):
    with pytest.raises(RawDataError, match="not of level 5"):
        empty_mat_field(content, "Video", "Labels")


GOOD = {compressed: make(structures(2), compressed=compressed) for compressed in (False, True)}


@settings(max_examples=300, deadline=None)
@given(
    compressed=st.booleans(),
    length=st.integers(128, len(GOOD[False])),
    place=st.integers(128),
    value=st.binary(max_size=4),
)
def test_damage_is_an_error_of_one_kind(compressed, length, place, value):
    content = bytearray(GOOD[compressed][:length])
    content[place : place + len(value)] = value
    with contextlib.suppress(RawDataError):
        empty_mat_field(bytes(content), "Video", "Labels")


def test_a_variable_that_inflates_without_end_is_refused(monkeypatch):
    monkeypatch.setattr("mlebench.preparation.matlab.MAX_VARIABLE", 1000)
    data = zlib.compress(bytes(100_000))
    with pytest.raises(RawDataError, match="damaged"):
        empty_mat_field(GOOD[False][:128] + struct.pack("<2I", 15, len(data)) + data, "Video", "Labels")
