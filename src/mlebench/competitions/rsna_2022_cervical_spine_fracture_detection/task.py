"""Fractures of the cervical vertebrae in CT studies of the neck."""

import random
from pathlib import Path

import numpy as np
import pandas as pd

from mlebench.preparation import place_files, place_tree, read_csv, write_csv

TRAIN_SHARE = 0.1
"""Of all studies, of those with boxes, of those with a segmentation, and of those with both."""


def prepare(raw: Path, public: Path, private: Path) -> None:
    studies, boxes = read_csv(raw / "train.csv"), read_csv(raw / "train_bounding_boxes.csv")
    boxed = sorted(boxes["StudyInstanceUID"].unique())
    segmented = sorted(path.stem for path in (raw / "segmentations").glob("*.nii"))
    with_boxes, with_segmentation, chosen = draw(studies["StudyInstanceUID"].tolist(), boxed, segmented)
    in_train = studies["StudyInstanceUID"].isin(chosen)
    write_csv(studies[in_train], public / "train.csv")
    write_csv(boxes[boxes["StudyInstanceUID"].isin(with_boxes)], public / "train_bounding_boxes.csv")
    place_files([f"{uid}.nii" for uid in with_segmentation], raw / "segmentations", public / "segmentations")
    for part, uids in (("train", studies[in_train]), ("test", studies[~in_train])):
        for uid in uids["StudyInstanceUID"]:
            place_tree(raw / "train_images" / uid, public / f"{part}_images" / uid)

    answers = studies[~in_train].melt(id_vars="StudyInstanceUID", var_name="prediction_type", value_name="fractured")
    answers["row_id"] = answers["StudyInstanceUID"] + "_" + answers["prediction_type"]
    write_csv(answers.drop(columns="fractured"), public / "test.csv")
    write_csv(answers[["row_id"]].assign(fractured=0.5), public / "sample_submission.csv")
    write_csv(answers, private / "answers.csv")


def draw(studies: list[str], boxed: list[str], segmented: list[str]) -> tuple[list[str], list[str], list[str]]:
    """Return the train studies that keep their boxes, those that keep their segmentation, and all of them.

    Studies that fill up the number at the end keep neither.
    """
    rng = random.Random(0)
    both = set(boxed) & set(segmented)
    overlap = rng.sample([uid for uid in boxed if uid in both], share(both))
    more_segmented = rng.sample([uid for uid in segmented if uid not in both], share(segmented) - len(overlap))
    more_boxed = rng.sample([uid for uid in boxed if uid not in both], share(boxed) - len(overlap))
    chosen = set(overlap + more_segmented + more_boxed)
    others = rng.sample([uid for uid in studies if uid not in chosen], share(studies) - len(chosen))
    return overlap + more_boxed, overlap + more_segmented, [*chosen, *others]


def share(uids: set[str] | list[str]) -> int:
    return round(len(uids) * TRAIN_SHARE)


def grade(submission: pd.DataFrame, answers: pd.DataFrame) -> float:
    truth = answers["fractured"].to_numpy()
    probability = submission["fractured"].to_numpy(dtype=float).clip(1e-15, 1 - 1e-15)
    loss = -np.log(np.where(truth == 1, probability, 1 - probability))
    weight = np.where(answers["prediction_type"] == "patient_overall", 7, 1) * (1 + truth)
    _, study = np.unique(answers["StudyInstanceUID"].to_numpy(dtype=object), return_inverse=True)
    order = np.argsort(answers["prediction_type"] != "patient_overall", kind="stable")  # v1 adds the patient first
    return float(np.mean(np.bincount(study[order], (weight * loss)[order]) / np.bincount(study, weight)))
