"""Reading one file out of a multipart/form-data body (RFC 7578), strictly and in one pass."""

from __future__ import annotations

import re
from email.message import Message
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_CHUNK = 65536
_HEADER_BYTES = 8192
_PARTS = 16
_BOUNDARY = re.compile(r"[0-9A-Za-z'()+_,./:=? -]{0,69}[0-9A-Za-z'()+_,./:=?-]")


class MultipartError(ValueError):
    """Raised when a body is not what it should be; the message tells the sender."""


class Reader(Protocol):
    """Where the body comes from."""

    def __call__(self, size: int, /) -> bytes:
        """Return up to `size` bytes, none at the end."""
        ...


def boundary_of(content_type: str | None) -> bytes:
    """Return the boundary that a Content-Type header declares."""
    header = Message()
    header["Content-Type"] = content_type or ""
    boundary = header.get_boundary()
    if header.get_content_type() != "multipart/form-data" or boundary is None:
        raise MultipartError("The body must be multipart/form-data with a boundary.")
    if not _BOUNDARY.fullmatch(boundary):
        raise MultipartError("The boundary of the multipart body is not a valid one.")
    return boundary.encode("ascii")


def read_field(read: Reader, boundary: bytes, field: str, write: Callable[[bytes], object]) -> int:
    """Write the content of the one part of that name; return its size. Other parts are read and dropped."""
    body = _Body(read)
    body.expect(b"--" + boundary)
    delimiter = b"\r\n--" + boundary
    size = None
    for _ in range(_PARTS):
        ending = body.take(2)
        if ending == b"--":
            if size is None:
                raise MultipartError(f"The body has no file in its form field {field!r}.")
            return size
        if ending != b"\r\n":
            raise MultipartError("A boundary of the multipart body is not followed by a line end.")
        wanted = _name_of(body.header()) == field
        if wanted and size is not None:
            raise MultipartError(f"The body has more than one form field {field!r}.")
        length = 0
        for piece in body.until(delimiter):
            length += len(piece)
            if wanted:
                write(piece)
        if wanted:
            size = length
    raise MultipartError(f"The body has more than {_PARTS} parts.")


def _name_of(header: bytes) -> str | None:
    """Return the field name that the header lines of a part declare."""
    for line in header.split(b"\r\n"):
        key, colon, value = line.partition(b":")
        if line and (not colon or not key.strip()):
            raise MultipartError("A part of the multipart body has a malformed header.")
        if key.strip().lower() == b"content-disposition":
            message = Message()
            message["Content-Disposition"] = value.decode("utf-8", "replace").strip()
            name = message.get_param("name", header="content-disposition")
            if message.get_content_disposition() != "form-data" or not isinstance(name, str):
                raise MultipartError("A part of the multipart body is not a form field with a name.")
            return name
    raise MultipartError("A part of the multipart body does not say what it is.")


class _Body:
    """A buffer that never holds much more than a chunk."""

    def __init__(self, read: Reader) -> None:
        self._read = read
        self._buffer = b""

    def take(self, size: int) -> bytes:
        """Return that many bytes."""
        while len(self._buffer) < size:
            self._more()
        taken, self._buffer = self._buffer[:size], self._buffer[size:]
        return taken

    def expect(self, wanted: bytes) -> None:
        """Take these very bytes."""
        if self.take(len(wanted)) != wanted:
            raise MultipartError("The multipart body does not begin with its boundary.")

    def header(self) -> bytes:
        """Take the lines up to an empty one."""
        while (end := self._buffer.find(b"\r\n\r\n")) < 0:
            if len(self._buffer) > _HEADER_BYTES:
                raise MultipartError("A part of the multipart body has a header that is too long.")
            self._more()
        return self.take(end + 4)[:-4]

    def until(self, delimiter: bytes) -> Iterator[bytes]:
        """Take what comes before a delimiter, in pieces, and the delimiter itself."""
        while (found := self._buffer.find(delimiter)) < 0:
            keep = len(delimiter) - 1
            if len(self._buffer) > keep:
                yield self._buffer[:-keep]
                self._buffer = self._buffer[-keep:]
            self._more()
        yield self.take(found)
        self.take(len(delimiter))

    def _more(self) -> None:
        data = self._read(_CHUNK)
        if not data:
            raise MultipartError("The multipart body ends before its last boundary.")
        self._buffer += data
