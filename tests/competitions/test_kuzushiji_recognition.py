"""Books of v2, and where its gold submission points."""

from __future__ import annotations

import pandas as pd
import pytest

from mlebench.ground.loading import load_module
from mlebench.ground.tables import read_csv
from mlebench.tasks.registry import COMPETITIONS_DIR, Registry


@pytest.fixture
def code():
    return load_module(COMPETITIONS_DIR / "kuzushiji_recognition" / "task.py")


@pytest.mark.parametrize("version", ["v1", "v2"])
def test_only_v2_keeps_books_together(prepared, version):
    public = prepared(f"kuzushiji-recognition@{version}").public_dir
    train, test = (
        set(read_csv(public / f"{name}.csv")["image_id"].str.split(r"[-_]", regex=True).str[0])
        for name in ("train", "sample_submission")
    )
    assert bool(train & test) == (version == "v1")


def test_a_very_large_book_stays_in_train(code):
    names = [f"umgy001-{page:03}" for page in range(5)] + ["100241706_00004_2", *(f"b{book}_1" for book in range(9))]
    books = code.books_of(pd.DataFrame({"image_id": names}))
    assert books[:5].isna().all()
    assert books[5:].tolist() == ["100241706", *(f"b{book}" for book in range(9))]


@pytest.mark.parametrize(("version", "point", "score"), [("v1", "beside_corner", 0), ("v2", "middle", 1)])
def test_only_v2_points_into_boxes_of_one_pixel(code, tmp_path, version, point, score):
    answers = pd.DataFrame({"image_id": ["a"], "labels": ["U+306F 7 9 1 1"]})
    gold = answers.assign(labels=code.points(answers["labels"][0], getattr(code, point)))
    grader = Registry(tmp_path).get_competition(f"kuzushiji-recognition@{version}").grader
    assert grader.score(gold, answers) == score
