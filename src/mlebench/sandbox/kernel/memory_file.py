"""Files in memory, to hand content to another process by a file descriptor."""

from __future__ import annotations

import os


def open_memory_file(content: bytes) -> int:
    """Return the descriptor of a nameless file with this content, to be read from its start."""
    descriptor = os.memfd_create("mlebench")
    with os.fdopen(os.dup(descriptor), "wb") as file:
        file.write(content)
    os.lseek(descriptor, 0, os.SEEK_SET)
    return descriptor
