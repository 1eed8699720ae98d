"""Photos described as COCO does are split as the reference splits them."""

from __future__ import annotations

import random

import pandas as pd
import pytest
import sklearn.model_selection
from hypothesis import given, settings
from hypothesis import strategies as st

from mlebench.errors import RawDataError
from mlebench.preparation import split_coco, split_each_group


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
