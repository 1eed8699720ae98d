"""Digests of content: other bytes that say the same are the same, and nothing else is."""

import gzip
import io
import tarfile
import zipfile

import pandas as pd
import pytest

from mlebench.data.content import content_digest

MEMBERS = {"b.txt": b"two", "a/c.txt": b"one"}


def write_archive(path, members, *, level=9):
    if path.suffix == ".zip":
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=level) as file:
            for name, content in members.items():
                file.writestr(name, content)
    elif path.suffix == ".7z":
        py7zr = pytest.importorskip("py7zr")
        with py7zr.SevenZipFile(path, "w", filters=[{"id": py7zr.FILTER_LZMA2, "preset": level}]) as file:
            for name, content in members.items():
                file.writestr(content, name)
    else:
        with tarfile.open(path, "w:gz" if path.suffix in (".gz", ".tgz") else "w", **_level(path, level)) as file:
            for name, content in members.items():
                info = tarfile.TarInfo(name)
                info.size, info.mtime = len(content), level
                file.addfile(info, io.BytesIO(content))
    return path


def _level(path, level):
    return {"compresslevel": level} if path.suffix in (".gz", ".tgz") else {}


@pytest.mark.parametrize("name", ["x.zip", "x.tar", "x.tar.gz", "x.tgz", "x.7z"])
def test_archives_are_compared_by_their_members(name, tmp_path):
    for folder in ("one", "two", "three"):
        (tmp_path / folder).mkdir()
    first = write_archive(tmp_path / "one" / name, MEMBERS)
    second = write_archive(tmp_path / "two" / name, dict(reversed(MEMBERS.items())), level=1)
    other = write_archive(tmp_path / "three" / name, MEMBERS | {"b.txt": b"owt"})
    assert first.read_bytes() != second.read_bytes()
    assert content_digest(first) == content_digest(second) != content_digest(other)


def test_gz_is_compared_by_what_it_holds(tmp_path):
    paths = [tmp_path / folder / "x.csv.gz" for folder in ("one", "two")]
    for level, path in zip((1, 9), paths, strict=True):
        path.parent.mkdir()
        path.write_bytes(gzip.compress(b"a,b\n" * 1000, level))
    assert content_digest(paths[0]) == content_digest(paths[1])


FRAME = pd.DataFrame(
    {
        "whole": [1, 2, 3],
        "real": [0.1, float("nan"), 3.0],
        "text": ["a", None, "ü"],
        "time": pd.to_datetime(["2020-01-01", None, "2021-01-01"]),
        "lists": [[1, 2], [], [3]],
    }
)


def test_parquet_is_compared_by_columns_and_values(tmp_path):
    pytest.importorskip("pyarrow")
    paths = [tmp_path / f"{number}.parquet" for number in range(4)]
    FRAME.to_parquet(paths[0], compression=None)
    FRAME.to_parquet(paths[1], compression="gzip")
    FRAME.assign(whole=[1, 2, 4]).to_parquet(paths[2])
    FRAME.rename(columns={"whole": "hole"}).to_parquet(paths[3])
    same, again, value, name = map(content_digest, paths)
    assert paths[0].read_bytes() != paths[1].read_bytes()
    assert same == again
    assert len({same, value, name}) == 3
