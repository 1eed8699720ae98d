"""The cases of each version of rsna-miccai-brain-tumor-radiogenomic-classification."""

from __future__ import annotations

import pytest

ID = "rsna-miccai-brain-tumor-radiogenomic-classification"
FAULTY = {"00109", "00123", "00709"}


@pytest.fixture
def cases(prepared):
    """The cases of the train and of the test part, in each version."""
    versions = [prepared(label).public_dir for label in (ID, f"{ID}@v2")]
    return [[{path.name for path in (public / part).iterdir()} for part in ("train", "test")] for public in versions]


def test_faulty_cases_are_left_out_in_v2_only(cases):
    v1, v2 = (train | test for train, test in cases)
    assert v1 >= FAULTY
    assert v2 == v1 - FAULTY


def test_the_test_part_of_v2_is_a_fifth(cases):
    shares = [len(test) / len(train | test) for train, test in cases]
    assert shares == pytest.approx([0.1, 0.2], abs=0.02)
