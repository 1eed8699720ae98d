"""Species of plants and animals in photos from a site for observations of nature."""

from pathlib import Path, PurePosixPath
from typing import Any

import numpy as np
import pandas as pd

from mlebench.errors import InvalidSubmissionError
from mlebench.metrics.classification import accuracy_score
from mlebench.preparation import place_files, read_json, retar, split_coco, write_csv, write_indented_json
from mlebench.tasks.values import whole_numbers


def prepare(raw: Path, public: Path, private: Path) -> None:
    train, test = split_coco(read_json(raw / "train2019.json"), test_size=0.12, few=5)
    train_names, test_names = ([image["file_name"] for image in part["images"]] for part in (train, test))
    short = [PurePosixPath(name).name for name in test_names]
    images = [{**image, "file_name": f"test2019/{name}"} for image, name in zip(test["images"], short, strict=True)]
    write_indented_json(train, public / "train2019.json")
    write_indented_json(
        {"images": images, "info": test["info"], "licenses": test["licenses"]}, public / "test2019.json"
    )
    place_files(["val2019.json"], raw, public)
    categories = [annotation["category_id"] for annotation in test["annotations"]]
    answers = pd.DataFrame({"id": [image["id"] for image in images], "predicted": categories})
    write_csv(answers, private / "answers.csv")
    write_csv(answers.assign(predicted=654), public / "kaggle_sample_submission.csv")
    parts = {  # in spite of their names, v1's archives are not compressed, and lack the first folder
        public / "train_val2019.tar.gz": {name: name.removeprefix("train_val2019/") for name in train_names},
        public / "test2019.tar.gz": dict(zip(test_names, short, strict=True)),
    }
    retar(raw / "train_val2019.tar.gz", parts)


def check(submission: pd.DataFrame) -> None:
    first_labels(submission["predicted"])


def grade(submission: pd.DataFrame, answers: pd.DataFrame) -> float:
    return 1 - accuracy_score(answers["predicted"], first_labels(submission["predicted"]))


def first_labels(column: pd.Series) -> np.ndarray:
    """Return the first label of each row, which may stand alone; v1 takes no column that pandas reads as floats.

    True and False are 1 and 0.
    """
    if column.dtype.kind == "f":
        raise InvalidSubmissionError(
            "The column 'predicted' must hold whole numbers without decimal points, and none may be missing."
        )
    return whole_numbers(column if column.dtype.kind in "biu" else column.map(first_part))


def first_part(value: Any) -> Any:
    if isinstance(value, str):
        return next(iter(value.split()), None)
    return value if isinstance(value, int) else None
