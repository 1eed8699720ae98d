"""v2 tests the last seven days; the answers name all customers, of whom those that bought are scored."""

from __future__ import annotations

import re

import pandas as pd
import pytest

from mlebench.battery.prepared import PreparedTask
from mlebench.preparation import read_csv

ID = "h-and-m-personalized-fashion-recommendations"


@pytest.mark.parametrize(("version", "days"), [("v1", 8), ("v2", 7)])
def test_v2_tests_the_last_seven_days(version, days, prepared):
    competition = prepared(f"{ID}@{version}")
    train = read_csv(competition.public_dir / "transactions_train.csv")
    assert pd.Timestamp("2020-09-22") - pd.to_datetime(train["t_dat"]).max() == pd.Timedelta(days, "D")


@pytest.mark.parametrize("text", ["706016001 x", "7.5", "-1", "nan", "1,2", "706016001\t372860001"])
def test_v2_refuses_articles_that_are_no_whole_numbers(text, prepared, tmp_path):
    task = PreparedTask(prepared(f"{ID}@v2"), tmp_path / "submission.csv")
    verdict, message = task.submit(task.sample.assign(prediction=[text, *task.sample["prediction"][1:]]))
    assert re.fullmatch(
        r"The articles of customer '\w+…' must be whole numbers with blanks between them\.", verdict.reason
    )
    assert verdict.reason in message


def test_v2_ignores_further_blanks(prepared, tmp_path):
    task = PreparedTask(prepared(f"{ID}@v2"), tmp_path / "submission.csv")
    guesses = [f"  {text}" for text in task.gold["prediction"].str.replace(" ", "  ")]
    assert task.submit(task.gold.assign(prediction=guesses))[0].score == 1
