"""Only regular files are opened; folders are measured in one walk; a home may be missing."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

import pytest

from mlebench.ground.files import NotRegularError, folder_size, home_folder, is_machine_failure, open_regular

from ..oddities import ODDITIES


def test_measuring_opens_folders_and_files_if_told_so_and_leaves_links_alone(tmp_path):
    folder, outside = tmp_path / "folder", tmp_path / "outside"
    (folder / "inner").mkdir(parents=True)
    outside.write_text("12345")
    (folder / "a").write_text("123")
    (folder / "inner" / "b").write_text("12")
    (folder / "link").symlink_to(outside)
    (folder / "a").chmod(0o700)
    (folder / "inner" / "b").chmod(0o600)
    outside.chmod(0o600)
    folder.chmod(0o700)
    (folder / "inner").chmod(0o700)

    def modes():
        return [
            stat.S_IMODE(path.stat().st_mode)
            for path in (folder, folder / "inner", folder / "a", folder / "inner" / "b", outside)
        ]

    before, size = modes(), folder_size(folder)
    assert size[0] == 3
    assert modes() == before
    assert folder_size(folder, open_to_all=True) == size
    assert modes() == [0o755, 0o755, 0o744, 0o644, 0o600]


def test_an_account_without_a_home_has_the_root_folder(monkeypatch):
    assert home_folder() == Path.home()
    monkeypatch.delenv("HOME")
    monkeypatch.setattr("pwd.getpwuid", lambda number: {}[number])  # as for a number that no account has
    assert home_folder() == Path("/")


REGULAR = {"empty", "huge", "closed file", "bytes", "file", "hard link"}


def count_descriptors():
    return len(list(Path("/proc/self/fd").iterdir()))


@pytest.mark.parametrize("oddity", ODDITIES)
def test_only_regular_files_are_opened_and_no_descriptor_is_lost(oddity, tmp_path):
    path = tmp_path / "odd"
    ODDITIES[oddity](path)
    before = count_descriptors()
    for _ in range(3):
        try:
            open_regular(path).close()
        except PermissionError:
            assert oddity == "closed file"
        except NotRegularError as error:
            assert oddity not in REGULAR
            assert str(path) in str(error)
        except FileNotFoundError:
            assert oddity == "missing"
        else:
            assert oddity in REGULAR
    assert count_descriptors() == before


def test_a_file_that_becomes_a_folder_before_it_is_opened_is_refused(tmp_path):
    def replace_and_open(path, flags):
        path.unlink()
        path.mkdir()
        return os.open(path, flags)

    path = tmp_path / "file"
    path.touch()
    with pytest.raises(NotRegularError, match="a folder"):
        open_regular(path, opener=replace_and_open)


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (OSError(errno.ENOSPC, "full"), True),
        (OSError(errno.EIO, "defect"), True),
        (IsADirectoryError(errno.EISDIR, "a folder"), False),
        (NotRegularError("a folder"), False),
        (ValueError("ENOSPC"), False),
    ],
)
def test_failures_of_the_machine_are_told_from_odd_files(error, expected):
    assert is_machine_failure(error) is expected
