"""Read one file from a multipart/form-data body, strictly and in one pass.

References
----------
RFC 7578, Returning Values from Forms: multipart/form-data
"""

from __future__ import annotations

import re
from email.message import Message
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_CHUNK_BYTES = 65536
_MAX_HEADER_BYTES = 8192
_MAX_PARTS = 16
_HEADER_LINE = re.compile(rb"([!#$%&'*+.^_`|~0-9A-Za-z-]+):([\t\x20-\x7e\x80-\xff]*)")
_BOUNDARY = re.compile(r"[0-9A-Za-z'()+_,./:=? -]{0,69}[0-9A-Za-z'()+_,./:=?-]")


class MultipartError(ValueError):
    """Raised when a body is malformed; the message is for its sender."""


class Reader(Protocol):
    """Reads the body."""

    def __call__(self, size: int, /) -> bytes:
        """Return up to `size` bytes; no bytes at the end of the body."""
        ...


def boundary_of(content_type: str | None) -> bytes:
    """Return the boundary from a Content-Type header; raise MultipartError if there is none."""
    header = Message()
    header["Content-Type"] = content_type or ""
    boundary = header.get_boundary()
    if header.get_content_type() != "multipart/form-data" or boundary is None:
        raise MultipartError("The body must be multipart/form-data with a boundary.")
    if not _BOUNDARY.fullmatch(boundary):
        raise MultipartError("The boundary of the multipart body is not valid.")
    return boundary.encode("ascii")


def read_field(read: Reader, boundary: bytes, field: str, write: Callable[[bytes], object]) -> int:
    """Write the content of one form field, and discard the other parts.

    Parameters
    ----------
    read : Reader
        Reads the body.
    boundary : bytes
        The boundary between the parts, from `boundary_of`.
    field : str
        The name of the form field.
    write : callable
        Gets the content piece by piece.

    Returns
    -------
    int
        The size of the content in bytes.

    Raises
    ------
    MultipartError
        If the body is malformed, or does not contain the field exactly once.
    """
    body = _Body(read)
    body.expect(b"--" + boundary)
    delimiter = b"\r\n--" + boundary
    size = None
    for _ in range(_MAX_PARTS):
        ending = body.take(2)
        if ending == b"--":
            if size is None:
                raise MultipartError(f"The body has no file in its form field {field!r}.")
            return size
        if ending != b"\r\n":
            raise MultipartError("A boundary of the multipart body is not followed by a line end.")
        is_field = _name_of(body.header()) == field
        if is_field and size is not None:
            raise MultipartError(f"The body has more than one form field {field!r}.")
        length = 0
        for piece in body.until(delimiter):
            length += len(piece)
            if is_field:
                write(piece)
        if is_field:
            size = length
    raise MultipartError(f"The body has more than {_MAX_PARTS} parts.")


def _name_of(header: bytes) -> str:
    """Return the field name that the header lines of a part declare."""
    names = []
    for line in header.split(b"\r\n"):
        found = _HEADER_LINE.fullmatch(line)
        if found is None:
            raise MultipartError("A part of the multipart body has a malformed header.")
        if found[1].lower() == b"content-disposition":
            message = Message()
            message["Content-Disposition"] = found[2].decode("utf-8", "replace").strip()
            name = message.get_param("name", header="content-disposition")
            if message.get_content_disposition() != "form-data" or not isinstance(name, str):
                raise MultipartError("A part of the multipart body is not a form field with a name.")
            names.append(name)
    if len(names) != 1:
        raise MultipartError(f"A part of the multipart body has {len(names) or 'no'} Content-Disposition.")
    return names[0]


class _Body:
    """The body, read through a buffer of little more than a chunk."""

    def __init__(self, read: Reader) -> None:
        self._read = read
        self._buffer = b""

    def take(self, size: int) -> bytes:
        """Read exactly this many bytes."""
        while len(self._buffer) < size:
            self._fill()
        taken, self._buffer = self._buffer[:size], self._buffer[size:]
        return taken

    def expect(self, expected: bytes) -> None:
        """Read these bytes."""
        if self.take(len(expected)) != expected:
            raise MultipartError("The multipart body does not begin with its boundary.")

    def header(self) -> bytes:
        """Read the header lines of a part, and the empty line after them."""
        while (end := self._buffer.find(b"\r\n\r\n")) < 0:
            if len(self._buffer) > _MAX_HEADER_BYTES:
                raise MultipartError("A part of the multipart body has a header that is too long.")
            self._fill()
        return self.take(end + 4)[:-4]

    def until(self, delimiter: bytes) -> Iterator[bytes]:
        """Yield what comes before a delimiter, in pieces, and read the delimiter."""
        while (found := self._buffer.find(delimiter)) < 0:
            keep = len(delimiter) - 1
            if len(self._buffer) > keep:
                yield self._buffer[:-keep]
                self._buffer = self._buffer[-keep:]
            self._fill()
        yield self.take(found)
        self.take(len(delimiter))

    def _fill(self) -> None:
        data = self._read(_CHUNK_BYTES)
        if not data:
            raise MultipartError("The multipart body ends before its last boundary.")
        self._buffer += data
