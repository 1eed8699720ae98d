import base64
import hashlib
import io
import zipfile

import pytest

from mlebench.errors import ChecksumError, DiskFullError, TransferError
from mlebench.kaggle.partial import PartialPaths, open_partial
from mlebench.kaggle.remote_file import RemoteFile


def zipped():
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as file:
        file.writestr("train.csv", "id\n1\n")
    return out.getvalue()


ARCHIVE = zipped()
MD5 = base64.b64encode(hashlib.md5(ARCHIVE, usedforsecurity=False).digest()).decode()


@pytest.fixture
def target(tmp_path):
    return tmp_path / "leaf.zip"


def test_bytes_of_two_processes_make_one_verified_file(target):
    with open_partial(target) as partial:
        partial.restart(RemoteFile(size=len(ARCHIVE), md5=MD5))
        partial.append(ARCHIVE[:10])
        assert (partial.size, partial.is_complete) == (10, False)
    with open_partial(target) as partial:
        partial.append(ARCHIVE[10:])
        assert partial.is_complete
        partial.finish()
    assert target.read_bytes() == ARCHIVE
    assert list(target.parent.iterdir()) == [target]


@pytest.mark.parametrize(
    ("remote", "content", "words"),
    [
        (RemoteFile(size=len(ARCHIVE) + 1), ARCHIVE, "Kaggle announced"),
        (RemoteFile(md5="AAAA"), ARCHIVE, "its md5 is"),
        (RemoteFile(), b"<html>", "6 bytes are not a zip file"),
    ],
)
def test_a_damaged_file_is_set_aside_and_never_renamed_to_the_target(target, remote, content, words):
    with open_partial(target) as partial:
        partial.restart(remote)
        partial.append(content)
        with pytest.raises(ChecksumError, match=words):
            partial.finish()
    assert list(target.parent.iterdir()) == [PartialPaths.of(target).damaged]


def test_a_restart_discards_the_bytes_of_another_file(target):
    with open_partial(target) as partial:
        partial.restart(RemoteFile(size=3))
        partial.append(b"old")
        partial.restart(RemoteFile(size=len(ARCHIVE), md5=MD5))
        assert partial.size == 0
        partial.append(ARCHIVE)
        partial.finish()
    assert target.read_bytes() == ARCHIVE


def test_nothing_is_left_of_a_download_without_bytes(target):
    with open_partial(target) as partial:
        partial.restart(RemoteFile(size=3))
    assert list(target.parent.iterdir()) == []


def test_a_second_download_of_the_same_target_is_refused(target):
    message = "Another process is downloading"
    with open_partial(target), pytest.raises(TransferError, match=message), open_partial(target):
        pytest.fail("It was opened twice.")
    with open_partial(target):
        pass  # the first one has released it


def test_more_bytes_than_the_disk_has_are_refused_before_the_first(target):
    with open_partial(target) as partial:
        partial.require_space()  # the size is unknown
        partial.restart(RemoteFile(size=10**18))
        with pytest.raises(DiskFullError, match=r"is needed to download leaf\.zip; free some space"):
            partial.require_space()


@pytest.mark.parametrize(("size", "text"), [(None, "3 bytes"), (2_000_000, "3 bytes of 2")])
def test_a_partial_download_says_how_far_it_is(target, size, text):
    with open_partial(target) as partial:
        partial.restart(RemoteFile(size=size))
        partial.append(b"abc")
        assert str(partial).startswith(text)
