"""Messages of Protocol Buffers, read without a schema.

References
----------
.. [1] https://protobuf.dev/programming-guides/encoding/
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import mmap
    from collections.abc import Iterator

    Span = tuple[int, int]


def message_fields(data: mmap.mmap | bytes, message: Span, number: int) -> Iterator[Span]:
    """Yield the positions of the fields with a number in a message, for strings and inner messages.

    Raises
    ------
    ValueError
        A field has a type that no message of today has.
    IndexError
        The message is cut off.
    """
    position, stop = message
    while position < stop:
        tag, position = read_varint(data, position)
        match tag & 7:
            case 0:  # a varint
                _, position = read_varint(data, position)
            case 1:  # 64 bits
                position += 8
            case 2:  # a length and so many bytes
                length, position = read_varint(data, position)
                if tag >> 3 == number:
                    yield position, position + length
                position += length
            case 5:  # 32 bits
                position += 4
            case kind:
                raise ValueError(f"wire type {kind}")


def read_varint(data: mmap.mmap | bytes, position: int) -> tuple[int, int]:
    """Decode a varint, and return it with the position after it; IndexError if it is cut off."""
    value, shift = 0, 0
    while True:
        byte = data[position]
        position += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, position
        shift += 7
