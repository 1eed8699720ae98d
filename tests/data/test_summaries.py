"""Summaries of files."""

import hashlib

import pytest

from mlebench.data.summaries import list_tables, summarize, summarize_names


@pytest.mark.parametrize(
    ("content", "lines", "columns"),
    [
        (b"", 0, None),
        (b"id,label\n1,a\n", 2, ("id", "label")),
        (b"id,label\n1,a", 2, ("id", "label")),
        (b'\xef\xbb\xbf"a,b",c\r\n1,2\r\n', 2, ("a,b", "c")),
    ],
)
def test_lines_and_columns_of_a_table_are_counted(content, lines, columns, tmp_path):
    path = tmp_path / "table.csv"
    path.write_bytes(content)
    summary = summarize(path)
    assert (summary.lines, summary.columns, summary.bytes) == (lines, columns, len(content))
    assert summary.md5 == hashlib.md5(content).hexdigest()


def test_the_text_of_a_summary_shows_some_columns(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text("a,b,c,d,e,f,g\n1,2,3,4,5,6,7\n")
    assert str(summarize(path)) == "28 bytes, 1 row, 7 columns (a, b, c, d, e, f …)"


def test_tables_directly_below_public_and_private_are_listed_and_summarized(tmp_path):
    for name in ("public/a.csv", "public/b.txt", "public/deep/c.csv", "private/d.jsonl"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("{}\n")
    names = [str(path.relative_to(tmp_path)) for path in list_tables(tmp_path)]
    assert names == ["public/a.csv", "private/d.jsonl"]
    sizes = []
    assert summarize_names(tmp_path, names, sizes.append).keys() == set(names)
    assert sum(sizes) == 6
