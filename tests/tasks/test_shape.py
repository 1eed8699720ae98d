import pandas as pd
import pytest

from mlebench.errors import InvalidSubmissionError
from mlebench.tasks.shape import Match, Shape
from mlebench.tasks.values import Values


def shape(values=Values.NUMBERS, **more):
    return Shape(id="id", targets=("y",), values=values, **more)


def frame(ids, values):
    return pd.DataFrame({"id": ids, "y": values})


REFERENCE = frame([3, 1, 2], [0.3, 0.1, 0.2])


def test_rows_come_out_in_the_order_of_the_reference():
    aligned = shape().align(frame([1, 2, 3], [0.1, 0.2, 0.3]), REFERENCE)
    assert aligned["y"].tolist() == [0.3, 0.1, 0.2]


@pytest.mark.parametrize("ids", [[3, 1, 2], [1, 2, 3]])
def test_rows_are_numbered_by_position_not_by_the_index_of_the_file(ids):
    labelled = frame(ids, [1, 2, 3]).set_index(pd.Index([7, 7, 7]))
    assert list(shape().align(labelled, REFERENCE).index) == [0, 1, 2]


def test_blank_texts_are_empty_texts_in_submission_and_answers():
    texts = shape(Values.TEXT)
    gaps = frame([3, 1, 2], ["x", None, float("nan")])
    assert texts.align(gaps, REFERENCE)["y"].tolist() == texts.fill_blanks(gaps)["y"].tolist() == ["x", "", ""]
    assert shape(Values.ANYTHING).fill_blanks(gaps) is gaps
    other = gaps.rename(columns={"y": "truth"})
    assert texts.fill_blanks(other).equals(other)


def test_ids_compare_by_value():
    assert shape().align(frame([1.0, 2.0, 3.0], [1, 2, 3]), REFERENCE)["y"].tolist() == [3, 1, 2]


def test_surplus_columns_are_dropped_or_refused():
    surplus = REFERENCE.assign(more=1)
    assert list(shape().align(surplus, REFERENCE).columns) == ["id", "y"]
    with pytest.raises(InvalidSubmissionError, match="further column 'more'"):
        shape(exact_columns=True).align(surplus, REFERENCE)


def test_ids_stand_anywhere_unless_they_are_declared_first():
    turned = REFERENCE[["y", "id"]]
    assert list(shape().align(turned, REFERENCE).columns) == ["id", "y"]
    assert shape(ids_first=True).align(REFERENCE, REFERENCE) is not None
    with pytest.raises(InvalidSubmissionError, match="must begin with the column 'id'"):
        shape(ids_first=True).align(turned, REFERENCE)


def test_the_order_of_columns_counts_only_where_that_is_declared():
    ordered = shape(columns_in_order=True)
    assert ordered.align(REFERENCE, REFERENCE) is not None
    for wrong in (REFERENCE[["y", "id"]], REFERENCE.assign(more=1)):
        with pytest.raises(InvalidSubmissionError, match="in the sample's order"):
            ordered.align(wrong, REFERENCE)


def test_outline_is_columns_and_number_of_rows_only():
    other = REFERENCE.assign(id=7, y="x", z=0)
    assert shape().check_outline(other, REFERENCE) == ["id", "y"]
    for wrong in (other.drop(columns="y"), other.iloc[1:]):
        with pytest.raises(InvalidSubmissionError):
            shape().check_outline(wrong, REFERENCE)


@pytest.mark.parametrize("value", [0.5, 100.5, -1])
def test_a_range_is_enforced_ends_included(value):
    bounded = shape(range=(1, 100))
    assert bounded.align(frame([3, 1, 2], [1, 100, 50]), REFERENCE) is not None
    with pytest.raises(InvalidSubmissionError, match="not between 1 and 100"):
        bounded.align(frame([3, 1, 2], [1, value, 50]), REFERENCE)


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_missing_and_infinite_numbers_pass_only_where_that_is_declared(value):
    odd = frame([3, 1, 2], [1, value, 2])
    assert shape(missing="allowed").align(odd, REFERENCE) is not None
    with pytest.raises(InvalidSubmissionError, match="row 2"):
        shape().align(odd, REFERENCE)
    with pytest.raises(InvalidSubmissionError, match="not a number"):
        shape(missing="allowed").align(frame([3, 1, 2], [1, "x", 2]), REFERENCE)


def test_by_rank_any_ids_are_paired_in_sorted_order():
    aligned = shape(match=Match.RANK).align(frame([30, 10, 20], [3, 1, 2]), REFERENCE)
    assert aligned["y"].tolist() == [3, 1, 2]
    mixed = frame([30, "x", None], [3, 1, 2])
    with pytest.raises(InvalidSubmissionError, match="cannot be sorted"):
        shape(match=Match.RANK).align(mixed, REFERENCE)


def test_copies_of_rows_count_only_where_that_is_declared():
    copies = frame([2, 1, 3, 2], [0.2, 0.1, 0.3, 0.5])
    repeating = shape(match=Match.REPEATS)
    aligned = repeating.align(copies, REFERENCE)
    assert aligned["id"].tolist() == [3, 1, 2, 2]
    assert aligned["y"].tolist() == [0.3, 0.1, 0.2, 0.5]
    assert repeating.answers_for(aligned, REFERENCE)["y"].tolist() == [0.3, 0.1, 0.2, 0.2]
    for ids, reason in (([3, 1, 1], "2 is missing"), ([3, 1, 2, 4], "4 of 'id' in row 4"), ([], "3 is missing")):
        with pytest.raises(InvalidSubmissionError, match=reason):
            repeating.align(frame(ids, [0.0] * len(ids)), REFERENCE)
    with pytest.raises(InvalidSubmissionError, match="4 rows"):
        shape().align(copies, REFERENCE)


def test_by_position_ids_are_not_needed():
    aligned = shape(match=Match.POSITION).align(pd.DataFrame({"y": [7, 8, 9]}), REFERENCE)
    assert aligned["y"].tolist() == [7, 8, 9]


def test_by_order_the_ids_must_be_those_of_the_reference_row_by_row():
    ordered = shape(match=Match.ORDER)
    assert ordered.align(frame([3, 1, 2], [7, 8, 9]), REFERENCE)["y"].tolist() == [7, 8, 9]
    for ids, reason in (
        ([3, 2, 1], "row 2 has 2"),
        ([3, 1], "must be 3.* it is 2"),
        ([3, 1, 2, 2], "is 4"),
    ):
        with pytest.raises(InvalidSubmissionError, match=reason):
            ordered.align(frame(ids, [0.0] * len(ids)), REFERENCE)
    assert ordered.check_outline(frame([9], [0.0]), REFERENCE) == ["id", "y"]


def test_ids_that_the_reference_repeats_must_come_as_often():
    reference = frame(["a", "b", "a"], [1, 2, 3])
    aligned = shape().align(frame(["b", "a", "a"], [2, 1, 1]), reference)
    assert aligned["y"].tolist() == [1, 2, 1]
    with pytest.raises(InvalidSubmissionError, match="as often"):
        shape().align(frame(["b", "b", "a"], [2, 1, 1]), reference)


def test_text_for_one_another_kind_of_label_is_refused():
    numbers, texts = REFERENCE.assign(y=[1, 2, 1]), REFERENCE.assign(y=["x", "y", "x"])
    labels = shape(Values.LABELS)
    assert labels.align(REFERENCE.assign(y=[1.0, 9.0, 1.0]), numbers) is not None
    huge = REFERENCE.assign(y=[1.0, 1e19, 1.0])
    long = REFERENCE.assign(y=pd.Series([10**20] * 3, dtype=object))
    for wrong, reference in ((texts, numbers), (numbers, texts), (REFERENCE, numbers), (huge, numbers), (long, texts)):
        with pytest.raises(InvalidSubmissionError):
            labels.align(wrong, reference)


def test_numbers_are_truncated_where_that_is_declared():
    truncated = shape(Values.TRUNCATED_NUMBERS)
    aligned = truncated.align(frame([1, 2, 3], [1.9, -0.5, 3.0]), REFERENCE)
    assert aligned["y"].tolist() == [3, 1, 0]
    assert aligned["y"].dtype == "int64"
    for value, reason in ((None, "in row 2 is missing"), (float("inf"), "row 2 is not an integer"), ("1.5", "'1.5'")):
        with pytest.raises(InvalidSubmissionError, match=reason):
            truncated.align(frame([1, 2, 3], [1, value, 3]), REFERENCE)


def test_text_that_python_reads_as_a_float_is_a_number_where_that_is_declared():
    floats = shape(Values.FLOATS)
    aligned = floats.align(frame([1, 2, 3], ["1_000", "\uff12\xa0", " .5"]), REFERENCE)
    assert aligned["y"].tolist() == [0.5, 1000.0, 2.0]
    whole = floats.align(frame([1, 2, 3], [2**53, 2**53 + 1, 0]), REFERENCE)  # not rounded to floats
    assert whole["y"].tolist() == [0, 2**53, 2**53 + 1]
    for value, reason in ((None, "in row 2 is missing"), ("1e309", "not a finite number"), ("1.5.0", "'1.5.0'")):
        with pytest.raises(InvalidSubmissionError, match=reason):
            floats.align(frame([1, 2, 3], ["1", value, "3"]), REFERENCE)


def test_anything_goes_where_the_task_decides():
    for value in (None, 1.5, "x"):
        assert shape(Values.ANYTHING).align(frame([3, 1, 2], [value] * 3), REFERENCE) is not None


def test_labels_that_a_task_does_not_have_are_refused():
    names = shape(Values.LABELS, labels=("oak", "elm"))
    reference = frame([1, 2], ["oak", "elm"])
    assert names.align(frame([1, 2], ["elm", "elm"]), reference)["y"].tolist() == ["elm", "elm"]
    with pytest.raises(
        InvalidSubmissionError, match=r"^The value 'fir' of column 'y' in row 2 is not one of the 2 labels\.$"
    ):
        names.align(frame([1, 2], ["elm", "fir"]), reference)


@pytest.mark.parametrize("values", [[1, 5], [0, 1], [1.0, 0.0]])
def test_a_scale_is_named_by_its_ends(values):
    scale = shape(Values.LABELS, labels=(1, 2, 3, 4))
    with pytest.raises(InvalidSubmissionError, match=r"in row \d is not one of 1 to 4\.$"):
        scale.align(frame([1, 2], values), frame([1, 2], [1, 4]))
    assert scale.align(frame([1, 2], [2.0, 4.0]), frame([1, 2], [1, 4]))["y"].tolist() == [2, 4]


def test_only_labels_have_a_vocabulary():
    with pytest.raises(ValueError, match="`labels` needs"):
        shape(Values.NUMBERS, labels=(1, 2))


def test_a_later_version_has_no_quirks_of_v1():
    quirks = shape(Values.FLOATS, match=Match.POSITION, columns_in_order=True, ids_first=True, missing="allowed")
    assert quirks.without_quirks() == shape(Values.NUMBERS, verbatim=True)
    assert shape(Values.TRUNCATED_NUMBERS).without_quirks().values is Values.LABELS
    scale = shape(Values.LABELS, labels=(1, 2), exact_columns=True)
    assert scale.without_quirks() == shape(Values.LABELS, labels=(1, 2), verbatim=True)


def test_text_is_read_as_it_is_where_a_version_says_so():
    assert shape(Values.TEXT).text_columns == ()
    assert shape(Values.TEXT, verbatim=True).text_columns == ("y",)
    assert shape(Values.NUMBERS, verbatim=True).text_columns == ()
