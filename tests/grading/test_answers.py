from __future__ import annotations

import pytest

from mlebench.errors import DeclarationError, UsageError
from mlebench.grading.answers import iterate_jsonl, load_answers, read_jsonl


@pytest.mark.parametrize(
    ("content", "rows"),
    [
        ("", []),
        ("\n  \n", []),
        ('{"a": 1}\r\n{"a": "é"}', [{"a": 1}, {"a": "é"}]),
        ('{"a": "x\u2028y"}\n', [{"a": "x\u2028y"}]),
    ],
)
def test_each_line_that_is_not_blank_is_an_object(content, rows, tmp_path):
    path = tmp_path / "rows.jsonl"
    path.write_bytes(content.encode())
    assert read_jsonl(path) == load_answers(path) == rows


def test_comments_are_skipped_only_on_request(tmp_path):
    path = tmp_path / "rows.jsonl"
    path.write_text('# note\n  // note\n{"a": 1}\n')
    assert read_jsonl(path, skip_comments=True) == [{"a": 1}]
    with pytest.raises(UsageError, match=r"Line 1 of .*rows\.jsonl is not JSON"):
        read_jsonl(path)


def test_rows_before_a_broken_line_are_read(tmp_path):
    path = tmp_path / "rows.jsonl"
    path.write_text('{"a": 1}\n\n{"a": \n')
    rows = iterate_jsonl(path)
    assert next(rows) == {"a": 1}
    with pytest.raises(UsageError, match="Line 3"):
        next(rows)


def test_a_file_that_is_not_utf_8_is_named(tmp_path):
    path = tmp_path / "rows.jsonl"
    path.write_bytes(b'{"a": "\xe9"}\n')
    with pytest.raises(UsageError, match=r"rows\.jsonl is not UTF-8"):
        read_jsonl(path)


@pytest.mark.parametrize("name", ["answers.txt", "answers", "answers.csv.gz", "answers.CSV"])
def test_the_suffix_must_be_known(name, tmp_path):
    with pytest.raises(DeclarationError, match=f"not '{name}'"):
        load_answers(tmp_path / name)
