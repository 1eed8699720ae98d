import os
import socket

import pytest

from mlebench.errors import RunError
from mlebench.runs.untrusted import Kind, list_folder, read_digest, read_file


def make(kind, path):
    """Put something that is not a small regular file in a place."""
    match kind:
        case "missing":
            pass
        case "folder":
            path.mkdir()
        case "pipe":
            os.mkfifo(path)
        case "socket":
            with socket.socket(socket.AF_UNIX) as server:
                server.bind(str(path))
        case "link":
            (path.parent / "target").write_text("secret")
            path.symlink_to("target")
        case "loop":
            path.symlink_to(path.name)
        case "dangling":
            path.symlink_to("nowhere")
        case "huge":
            path.touch()
            os.truncate(path, 2**40)


WORDS = {
    "missing": "missing",
    "folder": "regular file",
    "pipe": "regular file",
    "socket": "regular file",
    "link": "symbolic link",
    "loop": "symbolic link",
    "dangling": "symbolic link",
    "huge": "at most 100 bytes",
}


@pytest.mark.parametrize("kind", WORDS)
@pytest.mark.parametrize("read", [read_file, read_digest])
def test_only_small_regular_files_are_read(tmp_path, kind, read, is_one_sentence):
    make(kind, tmp_path / "it")
    with pytest.raises(RunError, match=WORDS[kind]) as caught:
        read(tmp_path / "it", 100)
    assert is_one_sentence(str(caught.value))


@pytest.mark.parametrize("kind", ["missing", "pipe", "link", "loop", "huge"])
def test_only_folders_are_listed(tmp_path, kind):
    make(kind, tmp_path / "it")
    with pytest.raises(RunError):
        list_folder(tmp_path / "it")


def test_a_link_to_a_folder_is_not_listed(tmp_path):
    (tmp_path / "it").symlink_to(tmp_path)
    with pytest.raises(RunError, match="symbolic link"):
        list_folder(tmp_path / "it")


def test_names_have_kinds(tmp_path):
    for kind in ("folder", "pipe", "link"):
        make(kind, tmp_path / kind)
    (tmp_path / os.fsdecode(b"\xff")).touch()
    assert list_folder(tmp_path) == {
        "folder": Kind.FOLDER,
        "link": Kind.LINK,
        "pipe": Kind.OTHER,
        "target": Kind.FILE,
        "\udcff": Kind.FILE,
    }


@pytest.mark.parametrize("name", ["a\0b", "x" * 5000])
def test_a_name_that_cannot_be_raises_an_error(tmp_path, name):
    for read in (lambda path: read_file(path, 1), list_folder):
        with pytest.raises(RunError):
            read(tmp_path / name)
