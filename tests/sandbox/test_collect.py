"""Only harmless files of a job are collected."""

from __future__ import annotations

import os
import resource
import socket
import stat
import tempfile
from pathlib import Path

import pytest

from mlebench.sandbox.collect import collect
from mlebench.sandbox.users import choose_unused_uid

from ..oddities import ODDITIES


@pytest.fixture
def left(tmp_path):
    folder = tmp_path / "left"
    folder.mkdir()
    return folder


@pytest.fixture
def run_collect(left, tmp_path, events):
    def run(*, max_bytes=10**9, max_files=1000):
        result = collect(left, tmp_path / "collected", max_bytes=max_bytes, max_files=max_files, events=events)
        return result, {facts["path"]: facts["why"] for facts in events.of("refused")}

    return run


def test_regular_files_are_copied(left, run_collect, tmp_path):
    (left / "a/b").mkdir(parents=True)
    (left / "a/b/submission.csv").write_text("id,y\n")
    (left / "run.sh").write_text("x")
    (left / "run.sh").chmod(0o4777)
    result, refused = run_collect()
    assert (result.files, result.bytes, result.refused, result.complete) == (4, 6, 0, True)
    assert not refused
    assert (tmp_path / "collected/a/b/submission.csv").read_text() == "id,y\n"
    assert stat.S_IMODE((tmp_path / "collected/run.sh").stat().st_mode) & 0o7133 == 0
    assert (tmp_path / "collected/run.sh").stat().st_uid == os.geteuid()


def test_links_devices_and_other_files_are_refused(left, run_collect, tmp_path):
    (tmp_path / "secret").write_text("secret")
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder/file").write_text("secret")
    (left / "link").symlink_to(tmp_path / "secret")
    (left / "folder-link").symlink_to(tmp_path / "folder")
    (left / "loop").symlink_to(left)
    (left / "hard").hardlink_to(tmp_path / "secret")
    os.mkfifo(left / "pipe")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(left / "socket"))
    if os.geteuid() == 0:
        os.mknod(left / "device", stat.S_IFCHR | 0o666, os.makedev(1, 5))
    (left / "submission.csv").mkdir()
    (left / "submission.csv/part").write_text("fine")
    _, refused = run_collect()
    kinds = {name: why.split(",")[0] for name, why in refused.items()}
    assert kinds.pop("device", "a device") == "a device"
    assert kinds == {
        "link": "a symbolic link",
        "folder-link": "a symbolic link",
        "loop": "a symbolic link",
        "hard": "a hard link",
        "pipe": "a named pipe",
        "socket": "a socket",
    }
    collected = {str(path.relative_to(tmp_path / "collected")) for path in (tmp_path / "collected").rglob("*")}
    assert collected == {"submission.csv", "submission.csv/part"}


def test_paths_longer_than_the_kernel_allows_are_refused(left, run_collect, tmp_path):
    folder = os.open(left, os.O_RDONLY)
    for _ in range(20):
        os.mkdir("d" * 250, dir_fd=folder)
        folder, above = os.open("d" * 250, os.O_RDONLY, dir_fd=folder), folder
        os.close(above)
    os.close(os.open("file", os.O_CREAT | os.O_WRONLY, dir_fd=folder))
    os.close(folder)
    result, refused = run_collect()
    assert result.refused == 1
    assert list(refused.values()) == ["its path is longer than 1024 bytes"]
    assert all(len(os.fsencode(path)) < 4096 for path in (tmp_path / "collected").rglob("*"))


@pytest.mark.slow("programs")
def test_files_without_permissions_are_collected_without_root_too():
    user = choose_unused_uid() if os.geteuid() == 0 else os.geteuid()
    with tempfile.TemporaryDirectory() as name:
        left = Path(name, "left")
        (left / "closed").mkdir(parents=True)
        (left / "closed/file").write_text("x")
        for path in (left / "closed/file", left / "closed", left, Path(name)):
            os.chown(path, user, -1)
            path.chmod(0 if path != Path(name) else 0o700)
        child = os.fork()
        if not child:
            collected = 99
            try:
                os.setuid(user)
                result = collect(
                    left, Path(name, "collected"), max_bytes=10, max_files=10, events=lambda *_, **__: None
                )
                collected = result.files
            finally:
                os._exit(collected)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 2
        assert Path(name, "collected/closed/file").read_text() == "x"


def test_a_sparse_file_beyond_the_maximum_is_refused(left, run_collect, tmp_path):
    with (left / "giant.csv").open("wb") as file:
        file.truncate(5 * 10**9)
    (left / "small.csv").write_text("x")
    result, refused = run_collect()
    assert "giant.csv" in refused
    assert not result.complete
    assert (tmp_path / "collected/small.csv").exists()
    assert not (tmp_path / "collected/giant.csv").exists()


def test_a_small_sparse_file_keeps_its_content(left, run_collect, tmp_path):
    with (left / "sparse").open("wb") as file:
        file.truncate(50_000_000)
        file.seek(49_000_000)
        file.write(b"end")
    run_collect()
    assert (tmp_path / "collected/sparse").read_bytes() == (left / "sparse").read_bytes()


def test_files_beyond_the_maximum_are_skipped(left, run_collect, tmp_path):
    for i in range(50):
        (left / f"{i}").touch()
    result, refused = run_collect(max_files=20)
    assert result.files == 20
    assert not result.complete
    assert len(refused) == 1
    assert len(list((tmp_path / "collected").iterdir())) == 20


def test_only_the_first_refusals_are_events(left, run_collect):
    for i in range(300):
        (left / f"{i}").symlink_to("/")
    result, refused = run_collect()
    assert result.refused == 300
    assert len(refused) == 100


def test_odd_names_are_kept(left, run_collect, tmp_path):
    names = [b"\xff\xfe", b"new\nline", b"-rf", b"...", " ümläut".encode(), b"a" * 255]
    for name in names:
        (left / os.fsdecode(name)).write_text("x")
    (left / os.fsdecode(b"\xff-link")).symlink_to("/")
    result, refused = run_collect()
    assert result.files == len(names)
    assert set(refused) == {"\\xff-link"}
    assert {os.fsencode(path.name) for path in (tmp_path / "collected").iterdir()} == set(names)


@pytest.mark.parametrize(("length", "collected"), [(5, 64), (50, 20)], ids=["too deep", "path too long"])
def test_deep_nesting_is_refused(left, run_collect, length, collected):
    descriptor = os.open(left, os.O_RDONLY)
    for _ in range(500):
        os.mkdir("d" * length, dir_fd=descriptor)
        inner = os.open("d" * length, os.O_RDONLY, dir_fd=descriptor)
        os.close(descriptor)
        descriptor = inner
    os.close(descriptor)
    result, _ = run_collect()
    assert result.refused == 1
    assert result.files == collected


def test_existing_files_are_kept(left, run_collect, tmp_path):
    (tmp_path / "collected").mkdir()
    (tmp_path / "elsewhere").write_text("precious")
    (tmp_path / "collected/a").symlink_to(tmp_path / "elsewhere")
    (left / "a").write_text("evil")
    _, refused = run_collect()
    assert set(refused) == {"a"}
    assert (tmp_path / "elsewhere").read_text() == "precious"


def test_a_link_instead_of_the_folder_is_refused(run_collect, left, tmp_path):
    left.rmdir()
    left.symlink_to("/etc")
    result, refused = run_collect()
    assert (result.files, result.refused) == (0, 1)
    assert list(refused) == ["."]


def test_a_missing_folder_is_refused(run_collect, left):
    left.rmdir()
    assert run_collect()[0].refused == 1


@pytest.mark.parametrize("oddity", ODDITIES)
def test_no_kind_of_file_raises_and_none_but_files_and_folders_are_copied(oddity, left, run_collect, tmp_path):
    ODDITIES[oddity](left / "submission.csv")
    (left / "good").write_text("good")
    run_collect()
    assert (tmp_path / "collected/good").read_text() == "good"
    for path in (tmp_path / "collected").rglob("*"):
        assert stat.S_ISREG(path.lstat().st_mode) or stat.S_ISDIR(path.lstat().st_mode)


def test_deep_folders_do_not_use_up_the_open_files(left, run_collect):
    ODDITIES["deep folder"](left / "deep")
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    highest = max(int(path.name) for path in Path("/proc/self/fd").iterdir())
    resource.setrlimit(resource.RLIMIT_NOFILE, (highest + 12, hard))
    try:
        result, refused = run_collect()
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    assert (result.files, refused) == (60, {})
