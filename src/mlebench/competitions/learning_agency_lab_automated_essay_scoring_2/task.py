"""Essays of students, scored from 1 to 6."""

from pathlib import Path

import numpy as np

from mlebench.preparation import read_csv, train_test_split, write_csv


def prepare(raw: Path, public: Path, private: Path) -> None:
    train, test = train_test_split(read_csv(raw / "train.csv"), test_size=0.1)
    guess = np.random.RandomState(42).randint(1, 7, size=len(test))
    write_csv(train, public / "train.csv")
    write_csv(test.drop(columns="score"), public / "test.csv")
    write_csv(test[["essay_id"]].assign(score=guess), public / "sample_submission.csv")
    write_csv(test, private / "answers.csv")
