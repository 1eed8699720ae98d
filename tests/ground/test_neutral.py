"""Files that are written in random order and marked."""

from __future__ import annotations

import os
import zipfile

import numpy as np

from mlebench.ground.neutral import NEUTRAL_TIME, is_marked, shuffled
from mlebench.preparation import extract

FILES = 400


def test_the_order_of_inodes_is_not_that_of_the_archive(tmp_path):
    with zipfile.ZipFile(tmp_path / "pictures.zip", "w") as archive:
        for number in range(FILES):
            archive.writestr(f"{'cat' if number < FILES // 2 else 'dog'}.{number:03}.jpg", b"")
    extract(tmp_path / "pictures.zip", tmp_path / "out")
    files = sorted((tmp_path / "out").iterdir())
    inodes = [path.stat().st_ino for path in files]
    ranks = np.argsort(np.argsort(inodes))
    correlation = np.corrcoef(ranks, np.arange(FILES))[0, 1]
    assert abs(correlation) < 5 / np.sqrt(FILES - 1)  # chance exceeds this once in a million
    assert all(is_marked(path.stat()) for path in files)


def test_two_unpackings_have_different_orders():
    assert sorted(shuffled(range(100))) == list(range(100))
    assert shuffled(range(100)) != shuffled(range(100))


def test_the_mark_survives_a_hard_link_and_nothing_else(tmp_path):
    file = tmp_path / "file"
    file.write_bytes(b"1")
    assert not is_marked(file.stat())
    os.utime(file, ns=(NEUTRAL_TIME, NEUTRAL_TIME))
    os.link(file, tmp_path / "link")
    assert is_marked((tmp_path / "link").stat())
    file.write_bytes(b"2")
    assert not is_marked(file.stat())
