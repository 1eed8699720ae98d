"""Folders are measured in one walk, which can open them to everybody; a home may be missing."""

from __future__ import annotations

import stat
from pathlib import Path

from mlebench.ground.files import folder_size, home_folder


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
