"""Essays of students, scored from 1 to 6."""

from pathlib import Path

import numpy as np

from mlebench.preparation import read_csv, text_keys, write_csv
from mlebench.tasks.split import Split


def prepare(raw: Path, public: Path, private: Path, split: Split) -> None:
    train, test = split(read_csv(raw / "train.csv"), content=lambda essays: text_keys(essays["full_text"]))
    guess = np.random.RandomState(42).randint(1, 7, size=len(test))
    write_csv(train, public / "train.csv")
    write_csv(test.drop(columns="score"), public / "test.csv")
    write_csv(test[["essay_id"]].assign(score=guess), public / "sample_submission.csv")
    write_csv(test, private / "answers.csv")
