"""Which pixels count."""

from __future__ import annotations

import numpy as np
import pytest

from mlebench.errors import InvalidSubmissionError
from mlebench.ground.loading import load_module
from mlebench.ground.tables import read_csv
from mlebench.tasks.registry import COMPETITIONS_DIR

ID = "vesuvius-challenge-ink-detection"


@pytest.fixture
def code():
    return load_module(COMPETITIONS_DIR / "vesuvius_challenge_ink_detection" / "task.py")


@pytest.mark.parametrize("version", ["v1", "v2"])
def test_only_v1_counts_pixels_outside_of_the_fragment(prepared, code, version):
    task = prepared(f"{ID}@{version}")
    answers, gold = read_csv(task.answers), read_csv(task.gold_submission)
    fragment = code.read_mask(task.public_dir / "test" / "a" / "mask.png")
    assert not fragment[0, 0]
    with_corner = gold.assign(Predicted="1 1 " + gold["Predicted"])
    score = task.grader.score(with_corner, answers)
    assert score == 1 if version == "v2" else score < 1
    everywhere = gold.assign(Predicted=f"1 {fragment.size}")
    inside = gold.assign(Predicted=code.encode_rows(fragment))
    scores = [task.grader.score(submission, answers) for submission in (everywhere, inside)]
    assert scores[0] == scores[1] if version == "v2" else scores[0] < scores[1]


def test_labels_outside_of_the_fragment_are_left_out(code):
    fragment = np.array([[False, True, True], [True, True, False]])
    assert code.ink_inside(fragment, "1 2 4 3") == "2 1 4 2"


def test_only_v1_refuses_further_columns(prepared):
    for version in ("v1", "v2"):
        task = prepared(f"{ID}@{version}")
        wide = read_csv(task.gold_submission).assign(further=1)
        if version == "v2":
            assert task.grader.score(wide, read_csv(task.answers)) == 1
        else:
            with pytest.raises(InvalidSubmissionError, match="further"):
                task.grader.score(wide, read_csv(task.answers))
