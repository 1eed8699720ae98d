"""Checksums of prepared files."""

import hashlib

from mlebench.data import generate_checksums


def test_checksums_are_those_of_tables_and_nest_like_the_folders(tmp_path):
    (tmp_path / "deep").mkdir()
    for name in ("a.csv", "deep/b.json", "deep/c.jpg", "d.txt"):
        (tmp_path / name).write_text(name)
    md5 = {name: hashlib.md5(name.encode()).hexdigest() for name in ("a.csv", "deep/b.json", "d.txt")}
    assert generate_checksums(tmp_path) == {"a.csv": md5["a.csv"], "deep": {"b.json": md5["deep/b.json"]}}
    assert generate_checksums(tmp_path, exts=["txt"]) == {"d.txt": md5["d.txt"]}
    assert "a.csv" not in generate_checksums(tmp_path, exclude=[tmp_path / "a.csv"])
