from __future__ import annotations

import io
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mlebench.errors import RawDataError
from mlebench.preparation import read_json, write_indented_json

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.sampled_from('{}[],: \n"\\é\u2028\ud800ab')),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=4),
    max_leaves=12,
)


records = st.lists(st.dictionaries(st.sampled_from(["a", "b", "},{"]), values, max_size=3), max_size=5)


@settings(max_examples=200, deadline=None)
@given(value=values | records | st.dictionaries(st.text(max_size=3), records))
def test_indented_json_is_that_of_the_json_module(value, tmp_path_factory):
    path, wanted = tmp_path_factory.getbasetemp() / "x.json", io.StringIO()
    write_indented_json(value, path)
    json.dump(value, wanted, indent=4, sort_keys=True)
    assert path.read_text(encoding="ascii") == wanted.getvalue()


def test_long_lists_of_records_are_written_in_blocks(tmp_path, monkeypatch):
    monkeypatch.setattr("mlebench.preparation.indented.RECORDS_AT_A_TIME", 3)
    value = {"b": [{"x": row, "a": [row] if row == 4 else f"}},{row}"} for row in range(8)], "a": [{}, {"c": 1}]}
    write_indented_json(value, tmp_path / "x.json")
    assert (tmp_path / "x.json").read_text() == json.dumps(value, indent=4, sort_keys=True)


def test_broken_and_absent_json_files_are_named(tmp_path):
    (tmp_path / "x.json").write_bytes(b'{"a": "\xe9"}')
    assert read_json(tmp_path / "x.json", "latin-1") == {"a": "é"}
    (tmp_path / "z.json").write_bytes('{"é": "'.encode() + b'\xe9\xff"}')
    assert read_json(tmp_path / "z.json", errors="as_latin_1") == {"é": "éÿ"}
    with pytest.raises(RawDataError, match=r"x\.json of the raw data is not JSON"):
        read_json(tmp_path / "x.json")
    with pytest.raises(RawDataError, match=r"lack the file y\.json"):
        read_json(tmp_path / "y.json")
