"""Questions in Hindi and Tamil, to be answered by a span of a given text."""

from pathlib import Path

import pandas as pd

from mlebench.preparation import read_csv, write_csv
from mlebench.tasks.split import Split


def prepare(raw: Path, public: Path, private: Path, split: Split) -> None:
    place_questions(*split(read_csv(raw / "train.csv")), public, private)


def prepare_v2(raw: Path, public: Path, private: Path, split: Split) -> None:
    questions = read_csv(raw / "train.csv", text=["context", "question", "answer_text"])
    place_questions(*split(questions, group="context"), public, private)


def place_questions(train: pd.DataFrame, test: pd.DataFrame, public: Path, private: Path) -> None:
    answers = test[["id"]].assign(PredictionString=test["answer_text"])
    write_csv(train, public / "train.csv")
    write_csv(test.drop(columns=["answer_start", "answer_text"]), public / "test.csv")
    write_csv(answers.assign(PredictionString="dummy text"), public / "sample_submission.csv")
    write_csv(answers, private / "test.csv")
