from __future__ import annotations

import pandas as pd

from mlebench.preparation import one_hot


def test_one_hot_has_a_column_for_each_class_even_without_rows_of_it():
    frame = pd.DataFrame({"id": [7, 5], "kind": ["b", "a"]}, index=[3, 9])
    assert one_hot(frame, "id", "kind", ["a", "b", "c"]).to_dict("list") == {
        "id": [7, 5],
        "a": [0, 1],
        "b": [1, 0],
        "c": [0, 0],
    }
