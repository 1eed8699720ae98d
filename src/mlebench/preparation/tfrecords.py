"""TFRecord files, read without TensorFlow and without decoding pictures."""

from __future__ import annotations

import mmap
from typing import TYPE_CHECKING

from mlebench.errors import RawDataError
from mlebench.preparation.protobuf import message_fields

if TYPE_CHECKING:
    from pathlib import Path

    from mlebench.preparation.protobuf import Span


def read_tfrecord_texts(path: Path, feature: str) -> list[str]:
    """Return the first value of a text feature of each record, in the order of the file.

    A record is a length (8 bytes, little endian), a checksum of 4 bytes, a `tf.train.Example` of that length, and a
    checksum of 4 bytes. Checksums are not compared.

    Parameters
    ----------
    path
        A TFRecord file.
    feature
        Name of the feature.

    Raises
    ------
    RawDataError
        The file is missing or cut off, or a record lacks the feature.

    References
    ----------
    .. [1] https://www.tensorflow.org/tutorials/load_data/tfrecord
    """
    texts = []
    try:
        with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            position = 0
            while position < len(data):
                start = position + 12
                stop = start + int.from_bytes(data[position : position + 8], "little")
                texts.append(_first_text(data, (start, stop), feature.encode()))
                position = stop + 4
            if position > len(data):
                raise IndexError
    except (IndexError, ValueError):
        raise RawDataError(f"{path.name} is cut off, or a record of it lacks the feature {feature!r}.") from None
    except FileNotFoundError:
        raise RawDataError(f"The raw data lack the file {path.name}.") from None
    return texts


def _first_text(data: mmap.mmap, example: Span, feature: bytes) -> str:
    """Follow Example, Features, map entry, Feature, bytes_list and value; ValueError if there is none."""
    for features in message_fields(data, example, 1):
        for entry in message_fields(data, features, 1):
            if any(data[slice(*key)] == feature for key in message_fields(data, entry, 1)):
                for value in message_fields(data, entry, 2):
                    for texts in message_fields(data, value, 1):
                        for text in message_fields(data, texts, 1):
                            return data[slice(*text)].decode()
    raise ValueError(f"no feature {feature!r}")
