"""Files in memory."""

from __future__ import annotations

import os

import pytest

from mlebench.sandbox.kernel.memory_file import open_memory_file


@pytest.mark.parametrize("content", [b"", b"a\0b\n", bytes(1_000_000)], ids=len)
def test_a_memory_file_is_read_from_its_start(content):
    descriptor = open_memory_file(content)
    with os.fdopen(descriptor, "rb") as file:
        assert file.read() == content
        assert os.fstat(descriptor).st_nlink == 0
