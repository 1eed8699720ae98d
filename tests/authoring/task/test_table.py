"""A table is read, or refused with the reason."""

from __future__ import annotations

import pytest

from mlebench.authoring.task.table import is_nameable, read_table
from mlebench.errors import RawDataError

from .tables import GOOD


def numbered(header, rows=20):
    return f"{header}\n" + "".join(f"{row},{row % 2}\n" for row in range(rows))


@pytest.fixture
def read(tmp_path):
    def read(text, target="y", id=None):
        (tmp_path / "own.csv").write_text(text)
        return read_table(tmp_path / "own.csv", target, id)

    return read


@pytest.mark.parametrize(
    ("name", "expected"),
    [("a b", True), ("é", True), ("x" * 80, True), ("x" * 81, False), ("", False), (" a", False), ("a\nb", False)],
)
def test_a_brief_can_hold_short_plain_names(name, expected):
    assert is_nameable(name) is expected


@pytest.mark.parametrize(("header", "given", "id"), [("id,y", None, "id"), ("x,y", None, None), ("x,y", "x", "x")])
def test_the_id_column_is_the_one_named_id_unless_another_is_given(read, header, given, id):
    table = read(numbered(header), id=given)
    assert table.id == id
    assert table.id_name == (id or "id")


@pytest.mark.parametrize(("rows", "enough"), [(19, False), (20, True)])
def test_a_task_needs_twenty_rows(read, rows, enough):
    if enough:
        assert len(read(numbered("x,y", rows)).rows) == rows
    else:
        with pytest.raises(match="19 rows"):
            read(numbered("x,y", rows))


def test_rows_that_differ_by_their_id_alone_are_duplicates(read):
    text = "id,x,y\n" + "".join(f"{row},{row // 2},{row // 2 % 2}\n" for row in range(20))
    assert read(text).duplicates == 10
    assert read(GOOD).duplicates == 0


@pytest.mark.parametrize(
    ("text", "options", "words"),
    [
        (GOOD.replace("x,", "id,"), {"target": "id"}, "rename it"),
        (GOOD.replace("39,", "38,"), {"id": "x"}, "1 repeated value, such as '38'"),
        (GOOD.replace("39,1", ",1"), {"id": "x"}, "id column 'x' of own.csv is missing in 1 row"),
        (GOOD.replace(",", "\t"), {}, "separated by tabs"),
    ],
)
def test_a_table_that_does_not_fit_is_refused(read, text, options, words):
    with pytest.raises(RawDataError, match=words):
        read(text, **options)
