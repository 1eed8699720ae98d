from __future__ import annotations

import pytest

from mlebench.errors import ArchiveError
from mlebench.preparation.inventory import Inventory


def test_more_bytes_or_members_than_an_archive_of_its_size_can_hold_are_refused(tmp_path):
    (tmp_path / "small.zip").write_bytes(b"x" * 1000)
    with pytest.raises(ArchiveError, match="made to fill the disk"):
        for number in range(100):
            Inventory(tmp_path / "small.zip").add(str(number), 2**40)
    inventory = Inventory(tmp_path / "small.zip")
    with pytest.raises(ArchiveError, match="more members than"):
        for number in range(200_000):
            inventory.add(str(number), 0)
