"""The uploaded file of a request, received within limits on size and time."""

from __future__ import annotations

import hashlib
import time
from typing import TYPE_CHECKING, BinaryIO

from mlebench.gateway.check.multipart import MultipartError, boundary_of, read_field

if TYPE_CHECKING:
    import io
    from email.message import Message

FORM_FIELD = "file"
MIN_BYTES_PER_SECOND = 4 * 1024**2
"""Rate at which a client must send the upload, after the idle time."""
_SMALL_READ_BYTES = 16384
_PAUSE_SECONDS = 0.002
"""After a small read, more is waited for: a client that sends single bytes must not keep the harness busy."""


class UploadError(Exception):
    """Raised when an upload is refused; the message is for its sender."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


class Upload:
    """The upload of one request.

    Parameters
    ----------
    headers : email.message.Message
        The headers of the request.
    max_bytes : int
        The maximum size of the body.
    idle_seconds : float
        Time that a client has in addition to that of the minimum rate.

    Attributes
    ----------
    received_bytes : int
        Bytes of the body that were read.
    file_bytes : int
        Bytes of the file that were written.
    """

    def __init__(self, headers: Message, *, max_bytes: int, idle_seconds: float) -> None:
        self.received_bytes = 0
        self.file_bytes = 0
        self._headers = headers
        self._max_bytes = max_bytes
        self._idle_seconds = idle_seconds
        self._hash = hashlib.sha256()

    @property
    def length(self) -> int | None:
        """The length of the body; None if it is not given, not valid or above the maximum."""
        text = self._headers.get("Content-Length", "")
        if not _is_number(text) or len(text) >= 20:
            return None
        return length if (length := int(text)) <= self._max_bytes else None

    @property
    def digest(self) -> str:
        """SHA-256 of the file so far, in hexadecimal."""
        return self._hash.hexdigest()

    def save(self, stream: io.BufferedIOBase, file: BinaryIO) -> None:
        """Read the body from `stream` and write the uploaded file to `file`.

        Raises
        ------
        UploadError
            If the body is too large or malformed.
        TimeoutError
            If it is sent too slowly.
        """
        length = self.require_length()
        deadline = time.monotonic() + self._idle_seconds + length / MIN_BYTES_PER_SECOND

        def read(size: int) -> bytes:
            if time.monotonic() > deadline:
                raise TimeoutError
            data = stream.read1(min(size, length - self.received_bytes))
            self.received_bytes += len(data)
            if 0 < len(data) < _SMALL_READ_BYTES and self.received_bytes < length:
                time.sleep(_PAUSE_SECONDS)
            return data

        def write(data: bytes) -> None:
            self.file_bytes += len(data)
            self._hash.update(data)
            file.write(data)

        try:
            read_field(read, boundary_of(self._headers.get("Content-Type")), FORM_FIELD, write)
        except MultipartError as error:
            raise UploadError(400, str(error)) from None

    def require_length(self) -> int:
        """Return the length of the body; UploadError if it is not given, not valid or above the maximum."""
        if "Content-Length" not in self._headers or "Transfer-Encoding" in self._headers:
            raise UploadError(411, "Send the file with a Content-Length.")
        if (length := self.length) is not None:
            return length
        if _is_number(self._headers["Content-Length"]):
            raise UploadError(413, f"The file is too large. The limit is {self._max_bytes} bytes.")
        raise UploadError(400, "The Content-Length is not a number.")


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit()
