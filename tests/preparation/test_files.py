"""Placing files without copying their bytes, and writing tables."""

from __future__ import annotations

import random

import pandas as pd
import pytest

from mlebench.errors import RawDataError
from mlebench.ground.files import write_atomically
from mlebench.preparation import copy_lines, place_by_folder, place_files, place_tree, read_csv, write_csv


def test_files_are_placed_as_links_to_the_same_bytes(tmp_path):
    source = tmp_path / "raw"
    source.mkdir()
    (source / "a.jpg").write_bytes(b"picture")
    assert place_files(["a.jpg"], source, tmp_path / "public" / "images") == 1
    assert (source / "a.jpg").samefile(tmp_path / "public" / "images" / "a.jpg")


def test_files_of_several_folders_are_placed_folder_by_folder_or_flat(tmp_path):
    source = tmp_path / "raw"
    files = pd.DataFrame({"file": ["a.jpg", "b.jpg", "c.jpg"], "kind": [7, 0, 7]})
    for file, kind in files.itertuples(index=False):
        (source / str(kind)).mkdir(parents=True, exist_ok=True)
        (source / str(kind) / file).write_text(file)
    assert place_by_folder(files["file"], files["kind"], source, tmp_path / "train") == 3
    assert place_by_folder(files["file"][1:], files["kind"][1:], source, tmp_path / "test", flat=True) == 2
    found = {
        path.relative_to(tmp_path).as_posix() for part in ("train", "test") for path in (tmp_path / part).rglob("*.jpg")
    }
    assert found == {"train/7/a.jpg", "train/0/b.jpg", "train/7/c.jpg", "test/b.jpg", "test/c.jpg"}


def test_files_are_placed_under_the_names_that_a_mapping_gives(tmp_path):
    source, target = tmp_path / "raw", tmp_path / "public"
    source.mkdir()
    for name in ("0.jpg", "1.jpg"):
        (source / name).write_text(name)
    assert place_files({"0.jpg": "1.jpg", "1.jpg": "0.jpg"}, source, target) == 2
    assert [(target / name).read_text() for name in ("0.jpg", "1.jpg")] == ["1.jpg", "0.jpg"]


def test_files_whose_content_changes_are_written_and_the_source_stays(tmp_path):
    source, target = tmp_path / "raw", tmp_path / "public"
    source.mkdir()
    (source / "a.txt").write_bytes(b"a, made in 2019")
    assert place_files({"a.txt": "b/a.txt"}, source, target, change=lambda content: content[:1]) == 1
    assert (target / "b" / "a.txt").read_bytes() == b"a"
    assert (source / "a.txt").read_bytes() == b"a, made in 2019"
    with pytest.raises(RawDataError, match=r"lack the file c\.txt"):
        place_files(["c.txt"], source, target, change=bytes)


def test_a_folder_is_placed_with_all_below_it(tmp_path):
    source, target = tmp_path / "raw", tmp_path / "public"
    (source / "in" / "empty").mkdir(parents=True)
    for name in ("a.txt", "in/b.txt"):
        (source / name).write_text(name)
    assert place_tree(source, target) == 2
    found = {path.relative_to(target).as_posix() for path in target.rglob("*")}
    assert found == {"a.txt", "in", "in/b.txt", "in/empty"}
    assert (source / "in" / "b.txt").samefile(target / "in" / "b.txt")
    assert place_tree(source, tmp_path / "other", without={"b.txt"}) == 1
    assert not (tmp_path / "other" / "in" / "b.txt").exists()
    with pytest.raises(RawDataError, match="lack the folder absent/"):
        place_tree(tmp_path / "absent", target)


def test_missing_and_repeated_files_are_named(tmp_path):
    (tmp_path / "raw").mkdir()
    (tmp_path / "raw" / "a.jpg").touch()
    with pytest.raises(RawDataError, match=r"lack the file b\.jpg in raw/"):
        place_files(["a.jpg", "b.jpg"], tmp_path / "raw", tmp_path / "one")
    with pytest.raises(RawDataError, match=r"a\.jpg of raw/ twice"):
        place_files(["a.jpg", "a.jpg"], tmp_path / "raw", tmp_path / "two")


def test_tables_survive_writing_and_reading_to_the_last_digit(tmp_path):
    draw = random.Random(1)
    values = [draw.uniform(-1, 1) * 10 ** draw.randint(-300, 300) for _ in range(2000)]
    frame = pd.DataFrame({"id": range(len(values)), "value": values, "text": ['a "b", c\n'] * len(values)})
    write_csv(frame, tmp_path / "new" / "table.csv")
    pd.testing.assert_frame_equal(read_csv(tmp_path / "new" / "table.csv"), frame, check_exact=True)
    assert b"\r" not in (tmp_path / "new" / "table.csv").read_bytes()


def test_empty_file_reads_as_a_frame_without_columns(tmp_path):
    (tmp_path / "empty.csv").touch()
    assert read_csv(tmp_path / "empty.csv").shape == (0, 0)


@pytest.mark.parametrize("precision", ["round_trip", "high"])
def test_reading_warns_of_nothing(precision, tmp_path, recwarn):
    (tmp_path / "table.csv").write_text("a\n0.1\n")
    read_csv(tmp_path / "table.csv", float_precision=precision)
    assert not recwarn.list


def test_writing_atomically_replaces_the_whole_file_or_leaves_the_old_one(tmp_path):
    path = tmp_path / "report.json"
    write_atomically(path, "old")
    with pytest.raises(TypeError):
        write_atomically(path, 7)
    assert path.read_text() == "old"
    write_atomically(path, b"new")
    assert path.read_text() == "new"
    assert list(tmp_path.iterdir()) == [path]


def test_names_may_begin_with_folders(tmp_path):
    source, target = tmp_path / "raw", tmp_path / "public"
    (source / "007" / "01").mkdir(parents=True)
    (source / "007" / "01" / "a.jpg").touch()
    assert place_files({"007/01/a.jpg": "000/0.jpg"}, source, target) == 1
    assert place_files(["007/01/a.jpg"], source, target) == 1
    assert {path.relative_to(target).as_posix() for path in target.rglob("*.jpg")} == {"000/0.jpg", "007/01/a.jpg"}


def test_lines_are_copied_byte_by_byte(tmp_path):
    content = b"# Raw\r\nFix,GPS,1\nRaw,2\xff\nFix,GPS,3\n no Fix\rRaw,4"
    (tmp_path / "log.txt").write_bytes(content)
    left_out = copy_lines(tmp_path / "log.txt", tmp_path / "a" / "log.txt", lambda line: not line.startswith(b"Fix,"))
    assert left_out == 2
    assert (tmp_path / "a" / "log.txt").read_bytes() == b"# Raw\r\nRaw,2\xff\n no Fix\rRaw,4"
    with pytest.raises(RawDataError, match=r"lack the file other\.txt"):
        copy_lines(tmp_path / "other.txt", tmp_path / "b.txt", bool)
