"""Plant species from photos of herbarium sheets."""

from pathlib import Path

import pandas as pd

from mlebench.labels import whole_numbers
from mlebench.metrics.classification import f1_macro_score
from mlebench.preparation import split_specimens


def prepare(raw: Path, public: Path, private: Path) -> None:
    split_specimens(raw, public, private)


def check(submission: pd.DataFrame) -> None:
    whole_numbers(submission["Predicted"])


def grade(submission: pd.DataFrame, answers: pd.DataFrame) -> float:
    return f1_macro_score(answers["Predicted"], whole_numbers(submission["Predicted"]))
