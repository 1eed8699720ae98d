"""The folders of a job have the owner and the access that it needs."""

from __future__ import annotations

import os
import stat

import pytest

from mlebench.errors import SandboxUnavailableError
from mlebench.sandbox.home import create_home, force_open, is_closed
from mlebench.sandbox.paths import HOME_FOLDERS


@pytest.mark.parametrize(("mode", "closed"), [(0o755, False), (0o705, False), (0o751, True), (0o754, True), (0, True)])
def test_a_folder_is_open_if_others_may_list_and_enter_it(tmp_path, mode, closed):
    (tmp_path / "data").mkdir()
    (tmp_path / "data").chmod(mode)
    assert is_closed(tmp_path / "data") is closed


def test_folders_are_created_and_their_content_is_kept(bench):
    job = bench.job(("true",))
    (job.home / "code").mkdir()
    (job.home / "code" / "kept.py").touch()
    create_home(job, None)
    create_home(job, None)
    assert sorted(path.name for path in job.home.iterdir()) == sorted(HOME_FOLDERS)
    assert (job.home / "code" / "kept.py").exists()


def test_data_that_the_user_of_a_job_cannot_read_are_refused_with_the_command_to_run(bench):
    bench.data.chmod(0o700)
    job = bench.job(("true",))
    with pytest.raises(SandboxUnavailableError, match=r"chmod -R o\+rX"):
        create_home(job, 12345)
    assert list(job.home.iterdir()) == []


@pytest.mark.skipif(os.getuid() != 0, reason="only root can give files to another user")
def test_a_user_gets_the_files_and_links_but_not_what_links_lead_to(bench):
    job = bench.job(("true",))
    (job.home / "agent" / "deep").mkdir(parents=True)
    (job.home / "agent" / "deep" / "link").symlink_to(bench.instructions)
    (job.home / "agent").chmod(0o700)
    create_home(job, 12345)
    assert (job.home / "agent" / "deep" / "link").lstat().st_uid == 12345
    assert (job.home / "submission").stat().st_uid == 12345
    assert stat.S_IMODE((job.home / "agent").stat().st_mode) == 0o711
    assert bench.instructions.stat().st_uid == 0


def test_a_file_without_permissions_is_opened_all_the_same(tmp_path):
    (tmp_path / "file").write_text("x")
    (tmp_path / "file").chmod(0)
    with os.fdopen(force_open(tmp_path / "file", os.O_RDONLY)) as file:
        assert file.read() == "x"


def test_a_folder_that_cannot_be_entered_is_made_so(tmp_path):
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder").chmod(0o600)
    folder = force_open(tmp_path, os.O_RDONLY)
    os.close(force_open(b"folder", os.O_RDONLY, folder))
    os.close(folder)
    assert stat.S_IMODE((tmp_path / "folder").stat().st_mode) == 0o700


def test_a_link_is_not_followed_if_the_flags_say_so(tmp_path):
    (tmp_path / "link").symlink_to(tmp_path)
    with pytest.raises(OSError, match="symbolic links"):
        force_open(tmp_path / "link", os.O_RDONLY | os.O_NOFOLLOW)
