"""Species of plants and animals in photos from a site for observations of nature."""

import re
from pathlib import Path, PurePosixPath
from typing import Any

import numpy as np
import pandas as pd

from mlebench.errors import InvalidSubmissionError
from mlebench.ground.wording import plain
from mlebench.metrics.classification import accuracy_score
from mlebench.preparation import place_files, read_json, retar, split_coco, write_csv, write_indented_json
from mlebench.tasks.values import whole_numbers

NUMBER = re.compile(r"[0-9]+(\.0*)?")


def prepare(raw: Path, public: Path, private: Path) -> None:
    train, test = split_coco(read_json(raw / "train2019.json"), test_size=0.12, few=5)
    train_names, test_names = names_of(train), names_of(test)
    short = [PurePosixPath(name).name for name in test_names]
    images = [{**image, "file_name": f"test2019/{name}"} for image, name in zip(test["images"], short, strict=True)]
    describe_photos(train, test, images, raw, public, private)
    parts = {  # in spite of their names, v1's archives are not compressed, and lack the first folder
        public / "train_val2019.tar.gz": {name: name.removeprefix("train_val2019/") for name in train_names},
        public / "test2019.tar.gz": dict(zip(test_names, short, strict=True)),
    }
    retar(raw / "train_val2019.tar.gz", parts)


def prepare_v2(raw: Path, public: Path, private: Path) -> None:
    train, test = split_coco(read_json(raw / "train2019.json"), test_size=0.12, few=5)
    images = [
        {"id": number, "file_name": f"test2019/{number}.jpg", "width": image["width"], "height": image["height"]}
        for number, image in enumerate(test["images"])
    ]
    describe_photos(train, test, images, raw, public, private)
    shown = [*names_of(train), *names_of(read_json(raw / "val2019.json"))]
    parts = {
        public / "train_val2019.tar": {name: name for name in shown},
        public / "test2019.tar": dict(zip(names_of(test), (image["file_name"] for image in images), strict=True)),
    }
    retar(raw / "train_val2019.tar.gz", parts)


def names_of(photos: dict[str, Any]) -> list[str]:
    return [image["file_name"] for image in photos["images"]]


def describe_photos(
    train: dict[str, Any], test: dict[str, Any], images: list[dict[str, Any]], raw: Path, public: Path, private: Path
) -> None:
    """Write all descriptions, the answers and the sample; `images` are the test photos as agents see them."""
    write_indented_json(train, public / "train2019.json")
    write_indented_json(
        {"images": images, "info": test["info"], "licenses": test["licenses"]}, public / "test2019.json"
    )
    place_files(["val2019.json"], raw, public)
    categories = [annotation["category_id"] for annotation in test["annotations"]]
    answers = pd.DataFrame({"id": [image["id"] for image in images], "predicted": categories})
    write_csv(answers, private / "answers.csv")
    write_csv(answers.assign(predicted=654), public / "kaggle_sample_submission.csv")


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


def check_v2(submission: pd.DataFrame) -> None:
    first_numbers(submission)


def grade_v2(submission: pd.DataFrame, answers: pd.DataFrame) -> float:
    return 1 - accuracy_score(answers["predicted"], first_numbers(submission))


def first_numbers(submission: pd.DataFrame) -> list[str]:
    """Return the first category of each row; one may be written as a float."""
    found = []
    for id, text in zip(submission["id"], submission["predicted"], strict=True):
        words = text.split()
        for word in words:
            if not NUMBER.fullmatch(word):
                raise InvalidSubmissionError(f"The category {plain(word)} of photo {id} is not a whole number.")
        if not words:
            raise InvalidSubmissionError(f"The category of photo {id} is missing.")
        found.append(words[0].partition(".")[0].lstrip("0") or "0")
    return found
