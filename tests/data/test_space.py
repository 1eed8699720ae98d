import os
import shutil

import pytest

from mlebench.data.space import BLOCK_BYTES, disk_usage, free_bytes, require_space, size_on_disk
from mlebench.errors import DiskFullError


@pytest.mark.parametrize(
    ("size", "blocks"), [(0, 0), (1, 1), (BLOCK_BYTES - 1, 1), (BLOCK_BYTES, 1), (BLOCK_BYTES + 1, 2)]
)
def test_a_file_takes_whole_blocks(size, blocks):
    assert size_on_disk(size) == blocks * BLOCK_BYTES


def test_a_path_that_does_not_exist_yet_is_on_the_disk_of_its_parent(tmp_path):
    total = shutil.disk_usage(tmp_path).total
    assert 0 < free_bytes(tmp_path / "a" / "b" / "c.zip") <= total


def test_too_little_space_is_an_error_with_the_purpose(tmp_path):
    require_space(tmp_path, 0, "do nothing")
    with pytest.raises(DiskFullError, match=r"are needed to unpack x\.zip; free some space"):
        require_space(tmp_path / "new", 10**18, "unpack x.zip")


def test_usage_counts_blocks_of_files_in_all_folders_and_follows_no_link(tmp_path):
    (tmp_path / "data" / "a" / "b").mkdir(parents=True)
    (tmp_path / "outside").write_bytes(os.urandom(10 * BLOCK_BYTES))
    (tmp_path / "data" / "link").symlink_to(tmp_path / "outside")
    files = [tmp_path / "data" / "one", tmp_path / "data" / "a" / "b" / "two"]
    for file in files:
        file.write_bytes(os.urandom(BLOCK_BYTES + 1))
    own = (tmp_path / "data" / "link").lstat().st_blocks * 512
    assert disk_usage(tmp_path / "data") == sum(map(disk_usage, files)) + own
    assert disk_usage(files[0]) == files[0].stat().st_blocks * 512
    assert disk_usage(tmp_path / "nothing") == 0


def test_files_with_a_second_link_are_not_exclusive(tmp_path):
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "one").write_bytes(os.urandom(BLOCK_BYTES))
    alone = disk_usage(tmp_path / "data", exclusive=True)
    (tmp_path / "other").hardlink_to(tmp_path / "data" / "one")
    assert alone == disk_usage(tmp_path / "data")
    assert disk_usage(tmp_path / "data", exclusive=True) == 0
