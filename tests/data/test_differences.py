import hashlib

import pytest

from mlebench.data.checksums import ChecksumRecord
from mlebench.data.differences import Difference, compare_with_manifest, compare_with_record
from mlebench.data.summaries import FileSummary, summarize

NAME = "public/train.csv"
TABLE = b"id,x\n1,2\n3,4\n"


def md5(content):
    return hashlib.md5(content, usedforsecurity=False).hexdigest()


@pytest.fixture
def table(tmp_path):
    (tmp_path / "public").mkdir()
    (tmp_path / NAME).write_bytes(TABLE)
    return tmp_path / NAME


@pytest.mark.parametrize(
    ("on_record", "words"),
    [
        (TABLE.replace(b"\n", b"\r\n"), "only its line ends differ"),
        (TABLE.removesuffix(b"\n"), "only the line feed at its end differs"),
        (TABLE + b"\n", "only the line feed at its end differs"),
        (b"\xef\xbb\xbf" + TABLE, "only the byte order mark at its start differs"),
        (b"id,x\n1,2\n3,5\n", "is not the file on record (it has 13 bytes, 2 rows, 2 columns (id, x))"),
    ],
)
def test_a_table_that_differs_in_one_way_only_says_in_which(table, tmp_path, on_record, words):
    (found,) = compare_with_record(ChecksumRecord({NAME: md5(on_record)}), tmp_path)
    assert (found.path, found.kind) == (NAME, "differs")
    assert words in found.text


def test_equal_files_do_not_differ_and_a_missing_one_is_named_once(table, tmp_path):
    record = ChecksumRecord({NAME: md5(TABLE), "private/x.zip": "0" * 32}, {"private/x.zip": "1" * 64})
    assert compare_with_record(record, tmp_path) == [Difference("private/x.zip", "missing", "is missing")]


def test_a_summary_that_is_given_is_not_read_again(table, tmp_path):
    summaries = {NAME: summarize(table)}
    table.write_bytes(b"changed")
    assert compare_with_record(ChecksumRecord({NAME: md5(TABLE)}), tmp_path, summaries) == []


def test_an_archive_without_a_record_of_its_content_is_not_compared(tmp_path):
    (tmp_path / "public").mkdir()
    (tmp_path / "public" / "x.zip").write_bytes(b"of another version of zlib")
    (found,) = compare_with_record(ChecksumRecord({"public/x.zip": "0" * 32}), tmp_path)
    assert found.kind == "not compared"


@pytest.mark.parametrize(
    ("now", "words"),
    [
        (None, "is missing"),
        (FileSummary(md5="b", bytes=9, lines=2, columns=("id",)), "of the same size with other content"),
        (FileSummary(md5="b", bytes=12, lines=3, columns=("id",)), "is 12 bytes, 2 rows, 1 column (id)"),
        (FileSummary(md5="a", bytes=9, lines=2, columns=("id",)), None),
    ],
)
def test_tables_are_compared_with_those_of_the_manifest(tmp_path, now, words):
    before = {NAME: FileSummary(md5="a", bytes=9, lines=2, columns=("id",))}
    found = compare_with_manifest(before, tmp_path, {} if now is None else {NAME: now})
    assert (len(found) == 1 and words in found[0].text) if words else found == []


@pytest.mark.parametrize(
    ("path", "kind", "meaning"),
    [
        ("private/test.csv", "differs", "scores on these answers are not comparable"),
        ("public/train.csv", "missing", "agents get other data"),
        ("private/x.zip", "not compared", "the tables beside it decide"),
    ],
)
def test_a_difference_says_what_it_means_for_results(path, kind, meaning):
    assert meaning in str(Difference(path, kind, "it differs"))
