"""Catheters and lines in chest X-rays, and how well they are placed."""

from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from mlebench.metrics.classification import roc_auc_score
from mlebench.preparation import place_files, read_csv, write_csv
from mlebench.tasks.split import Split

ID, PATIENT = "StudyInstanceUID", "PatientID"
UNGRADED = ["CVC - Normal", "Swan Ganz Catheter Present"]
"""Labels that v1 does not grade."""


def prepare(raw: Path, public: Path, private: Path, split: Split) -> None:
    place_parts(raw, public, private, split, UNGRADED)


def prepare_v2(raw: Path, public: Path, private: Path, split: Split) -> None:
    place_parts(raw, public, private, split, ungraded=[])


def place_parts(raw: Path, public: Path, private: Path, split: Split, ungraded: Sequence[str]) -> None:
    images, annotations = (read_csv(raw / name) for name in ("train.csv", "train_annotations.csv"))
    train, test = split(images, group=PATIENT)
    graded = images.columns.drop([ID, PATIENT, *ungraded])
    write_csv(train, public / "train.csv")
    write_csv(annotations[annotations[ID].isin(train[ID])], public / "train_annotations.csv")
    write_csv(test[[ID]].assign(**dict.fromkeys(graded, 0)), public / "sample_submission.csv")
    write_csv(test, private / "test.csv")

    for part, frame in (("train", train), ("test", test)):
        place_files(frame[ID] + ".jpg", raw / "train", public / part)


def grade_v2(submission: pd.DataFrame, answers: pd.DataFrame) -> float:
    """Return the mean area under the ROC curve over the labels that some test images have, and others lack."""
    labels = [name for name in submission.columns.drop(ID) if answers[name].nunique() > 1]
    return float(roc_auc_score(answers[labels].to_numpy(), submission[labels].to_numpy())) if labels else float("nan")
