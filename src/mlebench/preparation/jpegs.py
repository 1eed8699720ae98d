"""JPEG pictures without metadata, without decoding and encoding them again."""

from __future__ import annotations

from mlebench.errors import RawDataError

START_OF_SCAN, END_OF_IMAGE, COMMENT = 0xDA, 0xD9, 0xFE
WITHOUT_LENGTH = (0x01, *range(0xD0, 0xD8))
NEEDED = {0xE0: (b"JFIF\0", b"JFXX\0"), 0xE2: (b"ICC_PROFILE\0",), 0xEE: (b"Adobe",)}
"""What the data of application segments that tell colours and proportions begin with, by marker."""


def cut_jpeg_metadata(content: bytes) -> bytes:
    """Return a JPEG picture without its comments and application segments, such as EXIF with the time of a photo.

    Segments that a decoder needs for colours stay (JFIF, Adobe, ICC profile), so the pixels are the same to the bit. A
    viewer no longer turns a picture whose orientation was in EXIF. The data from the first scan on stay as they are.

    Parameters
    ----------
    content
        The picture.

    Raises
    ------
    RawDataError
        It is not a JPEG picture, or ends before its first scan.

    References
    ----------
    .. [1] ITU-T Recommendation T.81, annex B: compressed data formats.
    """
    if content[:2] != b"\xff\xd8":
        raise RawDataError("A picture is not in JPEG format.")
    parts = [content[:2]]
    position = 2
    while position + 4 <= len(content) and content[position] == 0xFF:
        marker = content[position + 1]
        if marker == 0xFF:  # a fill byte
            position += 1
            continue
        if marker in WITHOUT_LENGTH:
            parts.append(content[position : position + 2])
            position += 2
            continue
        if marker in (START_OF_SCAN, END_OF_IMAGE):
            return b"".join([*parts, content[position:]])
        stop = position + 2 + int.from_bytes(content[position + 2 : position + 4], "big")
        is_metadata = marker == COMMENT or 0xE0 <= marker <= 0xEF
        if not is_metadata or content.startswith(NEEDED.get(marker, ()), position + 4):
            parts.append(content[position:stop])
        position = stop
    raise RawDataError("A JPEG picture is damaged.")
