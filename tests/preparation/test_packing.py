import time
import zipfile

import pytest

from mlebench.errors import ArchiveError
from mlebench.preparation import extract, extract_7z, pack, pack_7z, packing, repack

MEMBERS = {"b/two.txt": b"two" * 1000, "a.txt": b"", "ü.png": bytes(range(256)) * 50}


def content(archive):
    with zipfile.ZipFile(archive) as file:
        assert file.testzip() is None
        return {name: file.read(name) for name in file.namelist()}


def test_packed_members_come_out_as_they_went_in(tmp_path):
    (tmp_path / "file").write_bytes(b"from a file")
    pack(tmp_path / "x.zip", {**MEMBERS, "c": tmp_path / "file"})
    assert content(tmp_path / "x.zip") == {**MEMBERS, "c": b"from a file"}


@pytest.mark.parametrize("level", [None, 1, 9])
def test_a_member_can_be_written_bit_by_bit(tmp_path, level):
    for name in ("x.zip", "y.zip"):
        with packing(tmp_path / name, "table.csv", level) as file:
            for _ in range(1000):
                file.write(b"one more line\n")
        time.sleep(0.01)
    assert content(tmp_path / "x.zip") == {"table.csv": b"one more line\n" * 1000}
    assert (tmp_path / "x.zip").read_bytes() == (tmp_path / "y.zip").read_bytes()
    assert ((tmp_path / "x.zip").stat().st_size < 10_000) == (level is not None)


def test_the_same_members_give_the_same_bytes(tmp_path):
    pack(tmp_path / "x.zip", MEMBERS)
    pack(tmp_path / "y.zip", dict(reversed(MEMBERS.items())))
    assert (tmp_path / "x.zip").read_bytes() == (tmp_path / "y.zip").read_bytes()


@pytest.mark.parametrize("compression", [zipfile.ZIP_DEFLATED, zipfile.ZIP_STORED])
def test_repacked_members_keep_their_content_under_their_new_name(tmp_path, compression):
    with zipfile.ZipFile(tmp_path / "old.zip", "w", compression) as file:
        for name, data in MEMBERS.items():
            file.writestr(f"train/{name}", data)
        file.writestr("test/left-out", b"x")
    count = repack(
        tmp_path / "old.zip",
        tmp_path / "new.zip",
        lambda name: name.removeprefix("train/") if name.startswith("train/") else None,
    )
    assert count == len(MEMBERS)
    assert content(tmp_path / "new.zip") == MEMBERS
    with zipfile.ZipFile(tmp_path / "new.zip") as file:
        assert {member.compress_type for member in file.infolist()} == {zipfile.ZIP_DEFLATED}


def test_members_written_as_a_stream_are_moved_too(tmp_path):
    with (tmp_path / "old.zip").open("wb") as raw:
        raw.seekable = lambda: False  # as when written to a pipe: sizes stand behind the data
        with zipfile.ZipFile(raw, "w", zipfile.ZIP_DEFLATED) as file:
            file.writestr("a", b"streamed" * 100)
    repack(tmp_path / "old.zip", tmp_path / "new.zip", lambda name: name)
    assert content(tmp_path / "new.zip") == {"a": b"streamed" * 100}


def test_a_damaged_source_is_named(tmp_path):
    pack(tmp_path / "old.zip", MEMBERS)
    (tmp_path / "old.zip").write_bytes((tmp_path / "old.zip").read_bytes()[:-30])
    with pytest.raises(ArchiveError, match=r"old\.zip is damaged"):
        repack(tmp_path / "old.zip", tmp_path / "new.zip", lambda name: name)
    with pytest.raises(ArchiveError, match=r"lack the archive nothing\.zip"):
        repack(tmp_path / "nothing.zip", tmp_path / "other.zip", lambda name: name)


def test_the_same_members_give_the_same_7z_whenever_it_is_written(tmp_path, monkeypatch):
    pack_7z(tmp_path / "x.7z", MEMBERS)
    monkeypatch.setattr(time, "time", lambda: 2e9)
    pack_7z(tmp_path / "y.7z", dict(reversed(MEMBERS.items())))
    assert (tmp_path / "x.7z").read_bytes() == (tmp_path / "y.7z").read_bytes()


@pytest.mark.parametrize("compress", [True, False])
def test_7z_there_and_back(tmp_path, compress):
    pack_7z(tmp_path / "x.7z", MEMBERS, compress=compress)
    extract_7z(tmp_path / "x.7z", tmp_path / "out")
    found = {str(path.relative_to(tmp_path / "out")): path.read_bytes() for path in (tmp_path / "out").rglob("*.*")}
    assert found == MEMBERS


@pytest.mark.parametrize(
    "damage", [lambda data: data[: len(data) // 2], lambda data: b"7z" + data[2:30], lambda _: b""]
)
def test_a_damaged_7z_is_named(tmp_path, damage):
    pack_7z(tmp_path / "x.7z", MEMBERS)
    (tmp_path / "x.7z").write_bytes(damage((tmp_path / "x.7z").read_bytes()))
    with pytest.raises(ArchiveError, match=r"x\.7z is damaged"):
        extract_7z(tmp_path / "x.7z", tmp_path / "out")


def test_missing_members_are_noticed(tmp_path):
    pack(tmp_path / "old.zip", MEMBERS)
    with pytest.raises(ArchiveError, match="holds 3 of the 4 files"):
        repack(tmp_path / "old.zip", tmp_path / "new.zip", lambda name: name, expect=4)
    with pytest.raises(ArchiveError, match="holds 3 of the 4 files"):
        extract(tmp_path / "old.zip", tmp_path / "out", expect=4)


def test_members_are_changed_and_stored_while_the_others_are_copied(tmp_path):
    pack(tmp_path / "x.zip", MEMBERS)
    change = {"new/b/two.txt": lambda content: content[:3], "new/a.txt": lambda _: b"a" * 1000}
    assert repack(tmp_path / "x.zip", tmp_path / "y.zip", lambda name: f"new/{name}", change=change) == 3
    assert content(tmp_path / "y.zip") == {
        "new/a.txt": b"a" * 1000,
        "new/b/two.txt": b"two",
        "new/ü.png": MEMBERS["ü.png"],
    }
    with zipfile.ZipFile(tmp_path / "y.zip") as archive:
        assert [member.compress_type for member in archive.infolist()] == [zipfile.ZIP_STORED] * 2 + [
            zipfile.ZIP_DEFLATED
        ]
        assert {member.date_time for member in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}


def test_a_member_to_change_that_is_not_there_is_named(tmp_path):
    pack(tmp_path / "x.zip", MEMBERS)
    with pytest.raises(ArchiveError, match=r"x\.zip has no member 'c\.txt'"):
        repack(tmp_path / "x.zip", tmp_path / "y.zip", lambda name: name, change={"c.txt": bytes.upper})
