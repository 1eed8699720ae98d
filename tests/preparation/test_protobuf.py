"""Fields of messages, and numbers of variable length."""

from __future__ import annotations

import pytest

from mlebench.preparation.protobuf import message_fields, read_varint


@pytest.mark.parametrize("value", [0, 1, 127, 128, 300, 2**63, 2**64 - 1])
def test_a_number_has_seven_bits_in_each_byte(value):
    groups = [value >> shift & 0x7F for shift in range(0, max(1, value.bit_length()), 7)]
    data = bytes([*(group | 0x80 for group in groups[:-1]), groups[-1]])
    assert read_varint(b"x" + data + b"y", 1) == (value, 1 + len(data))


def test_fields_of_other_numbers_and_types_are_passed_over():
    data = b"\x08\x96\x01" + b"\x12\x02ab" + b"\x0a\x01c" + b"\x19" + bytes(8) + b"\x15" + bytes(4) + b"\x12\x00"
    found = [data[slice(*span)] for span in message_fields(data, (0, len(data)), 2)]
    assert found == [b"ab", b""]


@pytest.mark.parametrize(("data", "error"), [(b"\x80", IndexError), (b"\x0b", ValueError)])
def test_what_is_cut_off_or_of_another_type_is_an_error(data, error):
    with pytest.raises(error):
        list(message_fields(data, (0, len(data)), 1))
