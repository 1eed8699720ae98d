"""v2 tests the comments that its leaderboard was made of, and pairs rows by number instead of text."""

from __future__ import annotations

import pandas as pd
import pytest

from mlebench.battery.prepared import PreparedTask
from mlebench.preparation import read_csv, read_member

ID = "detecting-insults-in-social-commentary"


def comments(table) -> set[str]:
    return set(read_csv(table)["Comment"])


def test_v2_tests_the_comments_of_the_verification_stage(prepared):
    v1, v2 = prepared(ID), prepared(f"{ID}@v2")
    assert comments(v2.public_dir / "test.csv") == comments(
        read_member(v2.folder / "rehearsal.zip", "impermium_verification_set.csv")
    )
    earlier = [comments(v1.public_dir / f"{part}.csv") for part in ("train", "test")]
    assert comments(v2.public_dir / "train.csv") == set.union(*earlier)
    assert not comments(v1.public_dir / "test.csv") & comments(v2.public_dir / "test.csv")


@pytest.mark.parametrize("version", ["v1", "v2"])
def test_v2_does_not_need_the_text_of_a_comment(version, prepared, tmp_path):
    task = PreparedTask(prepared(f"{ID}@{version}"), tmp_path / "submission.csv")
    test = read_csv(task.competition.public_dir / "test.csv")
    stripped = task.gold.assign(Comment=test["Comment"].str.strip('"'))
    assert task.submit(stripped)[0].score == (1 if version == "v2" else None)


@pytest.mark.parametrize(("version", "score"), [("v1", 0.5), ("v2", 1)])
def test_equal_comments_are_not_mixed_up_in_another_order_of_rows(version, score, registry):
    answers = pd.DataFrame({"id": [0, 1, 2, 3], "Insult": [0, 1, 1, 0], "Comment": ["a", "a", "b", "c"]})
    grader = registry.get_competition(f"{ID}@{version}").grader
    assert grader.score(answers.iloc[::-1].reset_index(drop=True), answers) == score
