"""Texts of DICOM headers in all encodings, behind sequences of all kinds, and files that are broken."""

from __future__ import annotations

import contextlib
import struct

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mlebench.errors import RawDataError
from mlebench.preparation import read_dicom_text

PATIENT, PIXELS = 0x00100020, 0x7FE00010
EXPLICIT, IMPLICIT, BIG = "1.2.840.10008.1.2.1", "1.2.840.10008.1.2", "1.2.840.10008.1.2.2"
JPEG, DEFLATED = "1.2.840.10008.1.2.4.70", "1.2.840.10008.1.2.1.99"
UNDEFINED = 0xFFFFFFFF


class Encoder:
    """Writes elements in one of the encodings."""

    def __init__(self, syntax: str) -> None:
        self.order, self.explicit = ">" if syntax == BIG else "<", syntax != IMPLICIT

    def tag(self, tag: int) -> bytes:
        return struct.pack(f"{self.order}2H", tag >> 16, tag & 0xFFFF)

    def length(self, length: int) -> bytes:
        return struct.pack(f"{self.order}I", length)

    def element(self, tag: int, kind: str, data: bytes, *, length: int | None = None) -> bytes:
        data += b" " * (len(data) % 2)
        length = len(data) if length is None else length
        if not self.explicit:
            return self.tag(tag) + self.length(length) + data
        if kind in ("OB", "SQ", "UN"):
            return self.tag(tag) + kind.encode() + b"\0\0" + self.length(length) + data
        return self.tag(tag) + kind.encode() + struct.pack(f"{self.order}H", length) + data

    def item(self, data: bytes, *, is_open: bool) -> bytes:
        if not is_open:
            return self.tag(0xFFFEE000) + self.length(len(data)) + data
        return self.tag(0xFFFEE000) + self.length(UNDEFINED) + data + self.tag(0xFFFEE00D) + self.length(0)

    def sequence(self, tag: int, items: list[bytes], kind: str = "SQ", *, is_open: bool) -> bytes:
        if not is_open:
            return self.element(tag, kind, b"".join(items))
        return self.element(tag, kind, b"".join(items) + self.tag(0xFFFEE0DD) + self.length(0), length=UNDEFINED)


def dicom(syntax: str, *, is_open: bool = False, patient: bytes = b"64d9bbd8") -> bytes:
    meta = Encoder(EXPLICIT)
    head = meta.element(0x00020001, "OB", b"\0\1") + meta.element(0x00020010, "UI", syntax.encode() + b"\0")
    code = Encoder(syntax)
    inner = code.element(PATIENT, "LO", b"of the item")
    deep = code.sequence(0x00081199, [code.item(inner, is_open=is_open)], is_open=is_open)
    body = [
        code.element(0x00080060, "CS", b"CR"),
        code.sequence(
            0x00081140, [code.item(inner, is_open=is_open), code.item(deep, is_open=is_open)], is_open=is_open
        ),
        code.sequence(0x00091140, [code.item(b"", is_open=is_open)], is_open=is_open),
        code.element(0x00100010, "PN", b"Name^of"),
        code.element(PATIENT, "LO", patient),
        code.element(0x00280010, "US", b"\2\0"),
        code.sequence(
            PIXELS, [code.item(b"", is_open=False), code.item(b"jpeg" * 9, is_open=False)], "OB", is_open=True
        ),
    ]
    length = meta.element(0x00020000, "UL", struct.pack("<I", len(head)))
    return bytes(128) + b"DICM" + length + head + b"".join(body)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "x.dcm"


@pytest.mark.parametrize("is_open", [False, True])
@pytest.mark.parametrize("syntax", [EXPLICIT, IMPLICIT, BIG, JPEG])
def test_text_is_read_in_every_encoding(syntax, is_open, path):
    path.write_bytes(dicom(syntax, is_open=is_open))
    assert read_dicom_text(path, PATIENT) == "64d9bbd8"
    assert read_dicom_text(path, 0x00080060) == "CR"
    assert read_dicom_text(path, 0x00020010) == syntax


@pytest.mark.parametrize(
    ("patient", "text"), [(b"odd", "odd"), (b"", ""), ("é".encode("latin-1"), "é"), (b"a  \0", "a")]
)
def test_padding_is_no_part_of_the_text(patient, text, path):
    path.write_bytes(dicom(EXPLICIT, patient=patient))
    assert read_dicom_text(path, PATIENT) == text


@pytest.mark.parametrize("tag", [0x00080005, 0x00100030, 0x7FE10010, 0x00020016])
@pytest.mark.parametrize("syntax", [EXPLICIT, IMPLICIT, BIG])
def test_an_element_that_is_not_there_is_named(syntax, tag, path):
    path.write_bytes(dicom(syntax, is_open=True))
    with pytest.raises(RawDataError, match=rf"x\.dcm has no element {tag >> 16:04x},{tag & 0xFFFF:04x}"):
        read_dicom_text(path, tag)


@pytest.mark.parametrize("content", [b"", b"x" * 500, dicom(DEFLATED), dicom(EXPLICIT)[:310], dicom(EXPLICIT)[:141]])
def test_what_cannot_be_read_is_named(content, path):
    path.write_bytes(content)
    with pytest.raises(RawDataError, match=r"x\.dcm"):
        read_dicom_text(path, PATIENT)


def test_pixels_are_no_text(path):
    code = Encoder(EXPLICIT)
    meta = code.element(0x00020010, "UI", EXPLICIT.encode() + b"\0")
    path.write_bytes(bytes(128) + b"DICM" + meta + code.element(PIXELS, "OB", bytes(2**17)))
    with pytest.raises(RawDataError, match="not a DICOM file that can be read"):
        read_dicom_text(path, PIXELS)


def test_a_file_that_is_not_there_is_named(path):
    with pytest.raises(RawDataError, match=r"lack the file x\.dcm"):
        read_dicom_text(path, PATIENT)


@settings(max_examples=300, deadline=None)
@given(
    syntax=st.sampled_from([EXPLICIT, IMPLICIT, BIG]),
    is_open=st.booleans(),
    length=st.integers(100, 600),
    place=st.integers(130, 600),
    value=st.binary(max_size=6),
)
def test_damage_is_an_error_of_one_kind(syntax, is_open, length, place, value, tmp_path_factory):
    content = bytearray(dicom(syntax, is_open=is_open)[:length])
    content[place : place + len(value)] = value
    path = tmp_path_factory.mktemp("damaged") / "x.dcm"
    path.write_bytes(content)
    with contextlib.suppress(RawDataError):
        assert len(read_dicom_text(path, PATIENT)) <= 2**16
