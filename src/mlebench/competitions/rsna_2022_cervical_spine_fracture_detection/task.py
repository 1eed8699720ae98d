"""Fractures of the cervical vertebrae in CT studies of the neck."""

import random
from pathlib import Path

import numpy as np
import pandas as pd

from mlebench.preparation import place_files, place_tree, read_csv, shuffle_rows, write_csv

DRAWN_SHARE = 0.1
"""Of all studies, of those with boxes, of those with a segmentation, and of those with both."""


def prepare(raw: Path, public: Path, private: Path) -> None:
    """Train with the studies that are drawn; those that fill up their number lose their boxes and segmentations."""
    studies, boxes, segmented = read_tables(raw)
    with_boxes, with_segmentation, drawn = draw(studies, boxes, segmented)
    in_train = studies["StudyInstanceUID"].isin(drawn)
    place_train(studies[in_train], with_boxes, with_segmentation, boxes, raw, public)
    place_test(studies[~in_train], raw, public, private)


def prepare_v2(raw: Path, public: Path, private: Path) -> None:
    """Test with the studies that are drawn; all others keep their boxes and segmentations."""
    studies, boxes, segmented = read_tables(raw)
    in_test = studies["StudyInstanceUID"].isin(draw(studies, boxes, segmented)[-1])
    uids = studies["StudyInstanceUID"][~in_test].tolist()
    place_train(studies[~in_test], uids, sorted({*segmented} & {*uids}), boxes, raw, public)
    place_test(shuffle_rows(studies[in_test]), raw, public, private)


def read_tables(raw: Path) -> tuple[pd.DataFrame, pd.DataFrame, list[str]]:
    """Return the studies, the boxes, and the ids of the studies that have a segmentation."""
    segmented = sorted(path.stem for path in (raw / "segmentations").glob("*.nii"))
    return read_csv(raw / "train.csv"), read_csv(raw / "train_bounding_boxes.csv"), segmented


def place_train(
    studies: pd.DataFrame,
    with_boxes: list[str],
    with_segmentation: list[str],
    boxes: pd.DataFrame,
    raw: Path,
    public: Path,
) -> None:
    write_csv(studies, public / "train.csv")
    write_csv(boxes[boxes["StudyInstanceUID"].isin(with_boxes)], public / "train_bounding_boxes.csv")
    place_files([f"{uid}.nii" for uid in with_segmentation], raw / "segmentations", public / "segmentations")
    place_images(studies, raw, public / "train_images")


def place_test(studies: pd.DataFrame, raw: Path, public: Path, private: Path) -> None:
    answers = studies.melt(id_vars="StudyInstanceUID", var_name="prediction_type", value_name="fractured")
    answers["row_id"] = answers["StudyInstanceUID"] + "_" + answers["prediction_type"]
    write_csv(answers.drop(columns="fractured"), public / "test.csv")
    write_csv(answers[["row_id"]].assign(fractured=0.5), public / "sample_submission.csv")
    write_csv(answers, private / "answers.csv")
    place_images(studies, raw, public / "test_images")


def place_images(studies: pd.DataFrame, raw: Path, target: Path) -> None:
    for uid in studies["StudyInstanceUID"]:
        place_tree(raw / "train_images" / uid, target / uid)


def draw(table: pd.DataFrame, boxes: pd.DataFrame, segmented: list[str]) -> tuple[list[str], list[str], list[str]]:
    """Return the studies that are drawn for their boxes, those that are drawn for their segmentation, and all drawn."""
    studies, boxed = table["StudyInstanceUID"].tolist(), sorted(boxes["StudyInstanceUID"].unique())
    rng = random.Random(0)
    both = set(boxed) & set(segmented)
    overlap = rng.sample([uid for uid in boxed if uid in both], share(both))
    more_segmented = rng.sample([uid for uid in segmented if uid not in both], share(segmented) - len(overlap))
    more_boxed = rng.sample([uid for uid in boxed if uid not in both], share(boxed) - len(overlap))
    chosen = set(overlap + more_segmented + more_boxed)
    others = rng.sample([uid for uid in studies if uid not in chosen], share(studies) - len(chosen))
    return overlap + more_boxed, overlap + more_segmented, [*chosen, *others]


def share(uids: set[str] | list[str]) -> int:
    return round(len(uids) * DRAWN_SHARE)


def losses(submission: pd.DataFrame, answers: pd.DataFrame) -> tuple[np.ndarray, np.ndarray]:
    """Return the log loss and the weight of each row."""
    truth = answers["fractured"].to_numpy()
    probability = submission["fractured"].to_numpy(dtype=float).clip(1e-15, 1 - 1e-15)
    loss = -np.log(np.where(truth == 1, probability, 1 - probability))
    return loss, np.where(answers["prediction_type"] == "patient_overall", 7, 1) * (1 + truth)


def grade(submission: pd.DataFrame, answers: pd.DataFrame) -> float:
    """Return the mean over studies of their weighted mean loss."""
    loss, weight = losses(submission, answers)
    _, study = np.unique(answers["StudyInstanceUID"].to_numpy(dtype=object), return_inverse=True)
    order = np.argsort(answers["prediction_type"] != "patient_overall", kind="stable")  # v1 adds the patient first
    return float(np.mean(np.bincount(study[order], (weight * loss)[order]) / np.bincount(study, weight)))


def grade_v2(submission: pd.DataFrame, answers: pd.DataFrame) -> float:
    """Return the weighted mean loss over all rows."""
    loss, weight = losses(submission, answers)
    return float(np.average(loss, weights=weight))
