"""Archives that somebody made to do harm, or that lie by accident: refused before a byte of them is written."""

from __future__ import annotations

import gzip
import io
import os
import stat
import struct
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from mlebench.errors import ArchiveError
from mlebench.preparation import extract, extract_7z, pack_7z, read_member, repack, retar, tar_member_names
from mlebench.preparation.inventory import Inventory
from mlebench.utils import extract as extract_nested

ROOT = Path(__file__).resolve().parents[2]
DIRECTORY = b"PK\x01\x02"


@pytest.fixture
def archive(tmp_path):
    """A function that writes a deflated zip archive of names and contents, and lets one change its bytes."""

    def write(change=lambda data: data, **members):
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as file:
            for name, content in (members or {"a.csv": "1" * 5000, "b.csv": "2" * 5000}).items():
                file.writestr(name, content)
        path = tmp_path / "data.zip"
        path.write_bytes(change(out.getvalue()))
        return path

    return write


def patched(data, place, form, value, header=DIRECTORY):
    """Return a zip archive's bytes with another value in the first entry of its directory."""
    at = data.index(header) + place
    return data[:at] + struct.pack(form, value) + data[at + struct.calcsize(form) :]


def mode(kind):
    return lambda data: patched(patched(data, 5, "<B", 3), 38, "<I", (kind | 0o644) << 16)


def overlapping(data):
    """The second member's entry names the first one's place, so that both unpack the same bytes."""
    second = data.rindex(DIRECTORY)
    return data[: second + 42] + struct.pack("<I", 0) + data[second + 46 :]


LIES = {
    "a link": (mode(stat.S_IFLNK), "holds a link, 'a.csv'"),
    "a device": (mode(stat.S_IFBLK), "holds a device, 'a.csv'"),
    "a pipe": (mode(stat.S_IFIFO), "holds a pipe, 'a.csv'"),
    "encrypted": (lambda data: patched(data, 8, "<H", 1), "'a.csv' encrypted"),
    "lzma": (lambda data: patched(data, 10, "<H", 14), r"compressed by method 14; only deflate"),
    "volume": (lambda data: patched(data, 34, "<H", 3), "one of several parts"),
    "larger than deflate can": (lambda data: patched(data, 24, "<I", 2**31), "size of 'a.csv' cannot be right"),
    "larger": (lambda data: patched(data, 24, "<I", 5001), "'a.csv' is shorter than it should be"),
    "smaller": (lambda data: patched(data, 24, "<I", 4999), "damaged"),
    "same bytes": (overlapping, "shares its bytes"),
    "directory beyond the data": (lambda data: patched(data, 20, "<I", 2**31), "shares its bytes|more than there are"),
    "middle lost": (lambda data: data[:40] + data[45:], "damaged"),
    "end lost": (lambda data: data[:-10], "damaged"),
    "no name": (lambda data: data.replace(b"a.csv", b"\0.csv"), "leave its folder"),
}


@pytest.mark.parametrize("lie", LIES)
def test_a_zip_that_lies_is_refused_and_leaves_no_part_of_a_file(lie, archive, tmp_path):
    change, words = LIES[lie]
    path, target = archive(change), tmp_path / "out"
    with pytest.raises(ArchiveError, match=words):
        extract(path, target)
    complete = target / "b.csv"  # it may have been written first
    assert [each for each in target.rglob("*") if each.is_file() and each != complete] == []
    assert not complete.exists() or complete.read_text() == "2" * 5000
    with pytest.raises(ArchiveError):
        read_member(path, "a.csv")
        repack(path, tmp_path / "new.zip", lambda name: name)


@pytest.mark.parametrize(
    ("names", "words"),
    [
        (["a", "a/b"], "'a' both as a file and as a folder"),
        (["a/b", "a"], "'a' both as a file and as a folder"),
        (["a/b", "a/./b"], "'a/b' twice"),
        (["a\\b", "a/b"], "'a/b' twice"),
        (["n" * 256], "name is too long"),
        (["n/" * 1200 + "n"], "name is too long"),
        (["C:x"], "leave its folder"),
        (["ok", "\N{RIGHT-TO-LEFT OVERRIDE}/../\x1b[2J"], r"leave its folder, '\\u202e/\.\./\\x1b\[2J'"),
    ],
)
def test_names_that_cannot_be_are_refused_before_anything_is_written(names, words, archive, tmp_path):
    with pytest.raises(ArchiveError, match=words):
        extract(archive(**dict.fromkeys(names, "x")), tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_odd_names_of_real_data_are_kept(archive, tmp_path):
    names = ["Icon\r", "CASE.jpg", "case.jpg", "\u65e5\u672c.png", "a b,c;d.txt", "12:30.csv", "n" * 255, ". /x", "-rf"]
    extract(archive(**dict.fromkeys(names, "x")), tmp_path / "out")
    found = {path.relative_to(tmp_path / "out").as_posix() for path in (tmp_path / "out").rglob("*") if path.is_file()}
    assert found == set(names)
    old = archive(lambda data: data.replace(b"cafe", b"caf\x82"), **{"cafe.png": "x"})  # DOS wrote it so
    extract(old, tmp_path / "old")
    assert [path.name for path in (tmp_path / "old").iterdir()] == ["caf\xe9.png"]


def test_what_compresses_well_is_no_bomb(archive, tmp_path):
    zeros = b"0,0,0,0\n" * 4_000_000
    assert extract(archive(**{"zeros.csv": zeros}), tmp_path / "zip") == 1
    pack_7z(tmp_path / "zeros.7z", {"zeros.csv": zeros})
    extract_7z(tmp_path / "zeros.7z", tmp_path / "7z")
    assert (tmp_path / "7z" / "zeros.csv").stat().st_size == len(zeros)
    photos = tmp_path / "photos.zip"
    with photos.open("wb") as file:
        file.truncate(300_000 * 20_000)  # of which the disk keeps nothing
    inventory = Inventory(photos)
    for number in range(300_000):
        inventory.add(f"train/{number % 1000:03}/{number}.jpg", 20_000)


def test_archives_within_archives_end_somewhere(tmp_path):
    data = b"innermost"
    for _ in range(9):
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w") as file:
            file.writestr("again.zip" if data != b"innermost" else "x.txt", data)
        data = out.getvalue()
    (tmp_path / "deep.zip").write_bytes(data)
    with pytest.raises(ArchiveError, match="more than 5 layers"):
        extract_nested(tmp_path / "deep.zip", tmp_path / "out", recursive=True)


# tar


def tar(*members):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as file:
        for name, content in members:
            member = tarfile.TarInfo(name)
            member.size = len(content)
            file.addfile(member, io.BytesIO(content))
    return out.getvalue()


SOUND = tar(("a.jpg", b"a" * 700), ("b.jpg", b"b" * 700))
SPARSE = tarfile.TarInfo("a.jpg")
SPARSE.size, SPARSE.type = 512, tarfile.GNUTYPE_SPARSE
SPARSE_HEADER = bytearray(SPARSE.tobuf(tarfile.GNU_FORMAT))
SPARSE_HEADER[483:495] = b"77777777777\0"
SPARSE_HEADER[148:156] = b" " * 8
SPARSE_HEADER[148:156] = b"%06o\0 " % sum(SPARSE_HEADER)
ENDLESS = tarfile.TarInfo("././@LongLink")
ENDLESS.size, ENDLESS.type = 2**31, tarfile.GNUTYPE_LONGNAME
BROKEN = {
    "header in the middle": (SOUND[:1536] + b"?" + SOUND[1537:], "bad checksum"),
    "cut between members": (SOUND[:1536], "without the blocks that mark its end"),
    "cut in a header": (SOUND[:1600], "truncated header"),
    "cut in a member": (SOUND[:1000], "unexpected end"),
    "more behind its end": (SOUND + b"PK\3\4" * 300, "its end holds data that are not a member"),
    "member twice": (tar(("a.jpg", b"1"), ("a.jpg", b"2"), ("b.jpg", b"3")), "'a.jpg' twice"),
    "sparse": (bytes(SPARSE_HEADER) + bytes(512) + SOUND, "not a file|made to fill the disk"),
    "endless name": (ENDLESS.tobuf(tarfile.GNU_FORMAT) + SOUND, "name of a member has no end"),
    "longer than all": (SOUND[:124] + b"\x80" + (2**60).to_bytes(11, "big") + SOUND[136:], "damaged"),
    "gz trailer": (gzip.compress(SOUND)[:-8] + bytes(8), "CRC check failed"),
    "gz cut": (gzip.compress(SOUND)[:-4], "damaged"),
    "gz and then none": (gzip.compress(SOUND) + b"PK", "damaged"),
    "gz of nothing": (gzip.compress(b""), "damaged"),
}


@pytest.mark.parametrize("fault", BROKEN)
def test_a_tar_that_is_not_whole_or_lies_is_refused(fault, tmp_path):
    content, words = BROKEN[fault]
    path = tmp_path / "photos.tar"
    path.write_bytes(content)
    with pytest.raises(ArchiveError, match=words):
        retar(path, {tmp_path / "new.tar": {"a.jpg": "a.jpg", "b.jpg": "b.jpg"}})
    assert not (tmp_path / "new.tar").exists() or (tmp_path / "new.tar").stat().st_size < 100_000


def test_a_gz_may_come_in_parts_and_be_filled_up_with_zeros(tmp_path):
    path = tmp_path / "x.tar.gz"
    path.write_bytes(gzip.compress(SOUND[:700]) + gzip.compress(SOUND[700:]) + bytes(500))
    assert tar_member_names(path) == ["a.jpg", "b.jpg"]


def test_names_in_tars_that_are_no_text_are_kept(tmp_path):
    path = tmp_path / "x.tar"
    path.write_bytes(SOUND.replace(b"a.jpg", b"\xff.jpg").replace(b"b.jpg", b"b\n.jp"))
    with pytest.raises(ArchiveError, match="bad checksum"):
        tar_member_names(path)
    out = tar((os.fsdecode(b"\xff.jpg"), b"1"))
    path.write_bytes(out)
    assert tar_member_names(path) == [os.fsdecode(b"\xff.jpg")]


@pytest.mark.slow("programs")
def test_no_mutant_of_any_archive_does_harm():
    """A few hundred of them, in a process of bounded memory; `python -m tests.preparation.mutants 10000` tries more."""
    result = subprocess.run(
        [sys.executable, "-m", "tests.preparation.mutants", "400", "7"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=280,
    )
    assert result.returncode == 0, result.stdout + result.stderr
    assert result.stdout.startswith("400 mutants, 0 of them wrong")
