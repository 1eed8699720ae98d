"""Texts that were made to have the same hash, which keep pandas 2 busy for hours when it reads them.

While pandas 2 reads up to 2^18 rows of a column of text, it keeps the texts in a table, by a hash that anyone can
compute: h(text) = 31 h(all but the last byte) + the last byte, in 32 bits. Texts with the same hash are compared with
each other. pandas 3 has no such table.
"""

from __future__ import annotations

import hashlib
import re

import numpy as np
import pandas as pd

IS_NEEDED = int(pd.__version__.partition(".")[0]) < 3
MIN_BYTES = 2**18
"""Fewer bytes hold too few texts to take long."""
SAMPLES = 20_000
"""Places of which the texts are looked at. They depend on the whole content, so nobody can write around them."""
MAX_BYTES = 4096
"""Longer texts are too few to take long."""
MAX_SAME = 20
"""As many different texts of a sample may have the same hash; by chance, hardly two have."""
ENDS = re.compile(rb"[,\r\n\"]")
ROWS_AT_ONCE = 2048
"""Rows among which it does no harm that all texts have the same hash."""


def has_colliding_texts(content: bytes) -> bool:
    """Return whether many different cells of a CSV file have the same hash."""
    if len(content) < MIN_BYTES:
        return False
    seed = np.frombuffer(hashlib.sha256(content).digest(), dtype=np.uint32)
    places = np.random.default_rng(seed).integers(0, len(content), SAMPLES)
    texts = {_text_around(content, place) for place in places.tolist()}
    _, counts = np.unique([_hash(text) for text in texts if len(text) <= MAX_BYTES], return_counts=True)
    return bool(np.max(counts, initial=0) > MAX_SAME)


def _text_around(content: bytes, place: int) -> bytes:
    before = ENDS.split(content[max(0, place - MAX_BYTES) : place])[-1]
    return before + ENDS.split(content[place : place + MAX_BYTES], maxsplit=1)[0]


def _hash(text: bytes) -> int:
    cells = np.frombuffer(text, dtype=np.int8).astype(np.uint32)
    return int((cells * _POWERS[: len(cells)][::-1]).sum(dtype=np.uint32))


_POWERS = np.cumprod(np.append(np.uint32(1), np.full(MAX_BYTES - 1, 31, dtype=np.uint32)), dtype=np.uint32)
