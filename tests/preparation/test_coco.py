"""Photos described as COCO does: split as the reference splits them, and written as the json module writes them."""

from __future__ import annotations

import io
import json
import random

import pandas as pd
import pytest
import sklearn.model_selection
from hypothesis import given, settings
from hypothesis import strategies as st

from mlebench.errors import RawDataError
from mlebench.preparation import read_json, split_coco, split_each_group, write_indented_json


@settings(max_examples=50, deadline=None)
@given(groups=st.lists(st.integers(0, 5), min_size=1), few=st.sampled_from([2, 5]), share=st.sampled_from([0.12, 0.2]))
def test_each_group_is_split_as_scikit_learn_splits_it(groups, few, share):
    rows: dict[int, list[int]] = {}
    for row, group in enumerate(groups):
        rows.setdefault(group, []).append(row)
    wanted: tuple[list[int], list[int]] = ([], [])
    for members in rows.values():
        if len(members) == 1:
            parts = members, []
        elif len(members) < few:
            parts = members[:-1], members[-1:]
        else:
            parts = sklearn.model_selection.train_test_split(members, test_size=share, random_state=0)
        for all_of_them, part in zip(wanted, parts, strict=True):
            all_of_them.extend(part)
    found = split_each_group(pd.Series(groups), share, few)
    assert tuple(part.tolist() for part in found) == wanted


def test_groups_too_small_to_be_split_are_named():
    with pytest.raises(RawDataError, match="hold 7 too rarely"):
        split_each_group(pd.Series([3, 3, 7]), 0.2)


def test_photos_and_annotations_stay_together_and_the_test_part_is_shuffled():
    annotations = [{"id": row, "image_id": f"p{row}", "category_id": row % 2} for row in range(40)]
    photos = {"annotations": annotations, "images": [{"name": f"p{row}"} for row in range(40)], "info": 1}
    train, test = split_coco(photos, test_size=0.2, id="name")
    assert train.keys() == test.keys() == photos.keys()
    for part in (train, test):
        assert [image["name"] for image in part["images"]] == [entry["image_id"] for entry in part["annotations"]]
    assert sorted(entry["id"] for part in (train, test) for entry in part["annotations"]) == list(range(40))
    drawn = split_each_group(pd.Series([row % 2 for row in range(40)]), 0.2)[1].tolist()
    random.Random(0).shuffle(drawn)
    assert [entry["id"] for entry in test["annotations"]] == drawn
    photos["images"].reverse()
    with pytest.raises(RawDataError, match="same order"):
        split_coco(photos, test_size=0.2, id="name")


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
    with pytest.raises(RawDataError, match=r"x\.json of the raw data is not JSON"):
        read_json(tmp_path / "x.json")
    with pytest.raises(RawDataError, match=r"lack the file y\.json"):
        read_json(tmp_path / "y.json")
