from __future__ import annotations

import gzip
import shutil
import tarfile
from pathlib import Path

import pytest

from mlebench import utils
from mlebench.errors import ArchiveError, MLEBenchError
from mlebench.preparation.formats import merging, unpack_archive


@pytest.mark.parametrize("form", ["tar", "gztar", "bztar", "xztar", "zip"])
def test_archives_of_all_formats_are_unpacked_and_again(form, tmp_path):
    folder = tmp_path / "folder"
    (folder / "deep").mkdir(parents=True)
    (folder / "deep" / "a.txt").write_text("a")
    archive = Path(shutil.make_archive(str(tmp_path / "x"), form, folder))
    for _ in range(2):  # a preparer may run again on the same raw data
        utils.extract(archive, tmp_path / "out")
        assert {path.name for path in (tmp_path / "out").rglob("*")} == {"deep", "a.txt"}
    content = archive.read_bytes()
    archive.write_bytes(content[: min(len(content) // 2, 1536)])  # most of a small tar is what follows its end
    with pytest.raises(MLEBenchError, match="is damaged"):
        utils.extract(archive, tmp_path / "half")
    assert list((tmp_path / "half").iterdir()) == []


def test_links_in_a_tar_and_single_gzip_files(tmp_path):
    (tmp_path / "link").symlink_to("/etc/passwd")
    with tarfile.open(tmp_path / "x.tar", "w") as file:
        file.add(tmp_path / "link", "link")
    with pytest.raises(MLEBenchError, match="not a regular file"):
        utils.extract(tmp_path / "x.tar", tmp_path / "out")
    with gzip.open(tmp_path / "a.csv.gz", "wb") as file:
        file.write(b"a\n1\n")
    utils.extract(tmp_path / "a.csv.gz", tmp_path / "out")
    assert (tmp_path / "out" / "a.csv").read_text() == "a\n1\n"


@pytest.mark.parametrize("name", ["x.gz", "x.tar", "x.zip", "x.7z"])
def test_the_name_of_an_archive_tells_its_format(name, tmp_path):
    (tmp_path / name).write_bytes(b"not an archive")
    with pytest.raises(ArchiveError, match=rf"{name} is (damaged|not a zip)"):
        unpack_archive(tmp_path / name, tmp_path / "out")


def test_a_damaged_gzip_file_is_named(tmp_path):
    (tmp_path / "a.csv.gz").write_bytes(gzip.compress(b"a\n1\n")[:-4])
    with pytest.raises(ArchiveError, match=r"a\.csv\.gz is damaged"):
        unpack_archive(tmp_path / "a.csv.gz", tmp_path / "out")


def test_merged_files_replace_those_of_the_same_name_and_leave_others(tmp_path):
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "old").write_text("old")
    (tmp_path / "deep" / "kept").write_text("kept")
    with merging(tmp_path) as scratch:
        (scratch / "deep").mkdir()
        (scratch / "deep" / "old").write_text("new")
    found = {path.name: path.read_text() for path in tmp_path.rglob("*") if path.is_file()}
    assert found == {"old": "new", "kept": "kept"}
    assert [path.name for path in tmp_path.iterdir()] == ["deep"]


def test_nothing_is_merged_after_a_failure(tmp_path):
    def fail():
        with merging(tmp_path / "out") as scratch:
            (scratch / "a").touch()
            raise ArchiveError("no")

    with pytest.raises(ArchiveError):
        fail()
    assert list((tmp_path / "out").iterdir()) == []
