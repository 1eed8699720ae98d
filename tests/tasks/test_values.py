"""Whole numbers of whatever a submission holds, as Python's `int` makes them, and rows of weights."""

from __future__ import annotations

import io

import pandas as pd
import pytest

from mlebench.errors import InvalidSubmissionError
from mlebench.ground.tables import read_csv
from mlebench.tasks.values import check_positive_sums, whole_numbers


def column(*cells: str):
    return read_csv(io.BytesIO(("id,label\n" + "".join(f"0,{cell}\n" for cell in cells)).encode()))["label"]


@pytest.mark.parametrize(
    ("cells", "wanted"),
    [
        (["3", "-4"], [3, -4]),
        (["12.7", "-0.5"], [12, 0]),
        (["True", "False"], [1, 0]),
        (["1_000", " 7"], [1000, 7]),
        ([str(2**64 - 1), str(2**63)], [2**64 - 1, 2**63]),
    ],
)
def test_labels_are_made_whole_as_python_does(cells, wanted):
    assert whole_numbers(column(*cells)).tolist() == wanted


@pytest.mark.parametrize(
    ("cells", "message"),
    [
        (["1", "inf"], r"The value inf of column 'label' in row 2 is not an integer\."),
        (["1", "", "2"], r"The value of column 'label' in row 2 is missing\."),
        (["", ""], r"in row 1 is missing\."),
        (["5", "27 1"], r"The value '27 1' of column 'label' in row 2 is not an integer\."),
        (["True", "x"], r"'True' of column 'label' in row 1 is not an integer\."),
        (["9" * 20, "1"], r"numbers that do not fit into 64 bits\."),
        ([str(2**63), "1"], r"numbers that do not fit into 64 bits\."),
        (["1e300", "1"], r"numbers that do not fit into 64 bits\."),
        (["9" * 5000, "1"], r"is not an integer\.|64 bits\."),
    ],
)
def test_what_python_refuses_is_named(cells, message):
    with pytest.raises(InvalidSubmissionError, match=message):
        whole_numbers(column(*cells))


def test_weights_need_a_positive_sum_and_no_other():
    check_positive_sums(pd.DataFrame({"a": [0.33, 0.0], "b": [0.33, 1e-300]}))
    with pytest.raises(InvalidSubmissionError, match=r"a positive sum, but those of row 2 sum to 0\."):
        check_positive_sums(pd.DataFrame({"a": [0.5, 0.0], "b": [0.0, 0.0]}))
