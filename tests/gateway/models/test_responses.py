"""The chunks of a response are copied on their way."""

from __future__ import annotations

import asyncio

import pytest

from mlebench.gateway.models.errors import BrokenStreamError
from mlebench.gateway.models.responses import copy_chunks


async def broken(*chunks):
    for chunk in chunks:
        yield chunk
    raise BrokenStreamError


def test_what_arrived_before_a_stream_broke_is_copied_and_passed_on():
    copy, passed = [], []

    async def read():
        async for chunk in copy_chunks(broken(b"a", b"", b"bc"), copy):
            passed.append(chunk)
            assert copy == passed  # nothing is read ahead

    with pytest.raises(BrokenStreamError):
        asyncio.run(read())
    assert passed == [b"a", b"", b"bc"]
