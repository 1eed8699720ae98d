"""Opacities of the lung on radiographs, boxed on each image, and an appearance for each study."""

from pathlib import Path

import numpy as np
import pandas as pd

from mlebench.errors import InvalidSubmissionError
from mlebench.ground.wording import plain
from mlebench.metrics.boxes import check_boxes, refuse_objects, voc_mean_precision
from mlebench.metrics.classification import average_precision_score
from mlebench.metrics.detection import Objects, box_iou, parse_objects
from mlebench.metrics.pairing import match_greedily, pair_up
from mlebench.preparation import place_tree, read_csv, read_dicom_text, write_csv
from mlebench.tasks.split import Split

COLUMNS = ["Negative for Pneumonia", "Typical Appearance", "Indeterminate Appearance", "Atypical Appearance"]
APPEARANCES = np.array(["negative", "typical", "indeterminate", "atypical"], dtype=object)
CLASSES = [*APPEARANCES, "none", "opacity"]
IOU = 0.5
PATIENT_ID = 0x00100020
AT_ONCE = 2**16
"""Detections whose overlaps are computed together, to bound the memory."""


def prepare(raw: Path, public: Path, private: Path, split: Split) -> None:
    studies = read_csv(raw / "train_study_level.csv")
    parts = split(studies, group=lambda studies: patients_of(studies, raw / "train"))
    train, test = (part.sort_values(by="id") for part in parts)
    images = read_csv(raw / "train_image_level.csv").sort_values(by="id")
    study = images["StudyInstanceUID"] + "_study"
    train_images, test_images = images[study.isin(train["id"])], images[study.isin(test["id"])]
    write_csv(train, public / "train_study_level.csv")
    write_csv(train_images, public / "train_image_level.csv")
    for part, studies in (("train", train), ("test", test)):
        for name in studies["id"].str.removesuffix("_study"):
            place_tree(raw / "train" / name, public / part / name)

    ids = pd.concat([test[["id"]], test_images[["id"]]])
    sample = np.repeat(["negative 1 0 0 1 1", "none 1 0 0 1 1"], [len(test), len(test_images)])
    write_csv(ids.assign(PredictionString=sample), public / "sample_submission.csv")
    appearance = APPEARANCES[test[COLUMNS].to_numpy().argmax(axis=1)] + " 1 0 0 1 1"
    write_csv(ids.assign(PredictionString=[*appearance, *test_images["label"]]), private / "test.csv")


def patients_of(studies: pd.DataFrame, folder: Path) -> pd.Series:
    """Return the patient of each study; none, so that they stay in train, if a study of theirs is of no one class."""
    names = studies["id"].str.removesuffix("_study")
    patients = names.map(lambda name: read_dicom_text(first_image(folder / name), PATIENT_ID))
    odd = (studies[COLUMNS] == 1).sum(axis=1) != 1
    return patients.mask(patients.isin(patients[odd]))


def first_image(study: Path) -> Path:
    return min(study.rglob("*.dcm"), default=study / "*.dcm")


def check(submission: pd.DataFrame) -> None:
    refuse_odd_confidences(submission, parse(submission), CLASSES)


def check_v2(submission: pd.DataFrame) -> None:
    parse_v2(submission)


def parse_v2(submission: pd.DataFrame) -> Objects:
    names, found = submission["id"].tolist(), parse(submission)
    check_boxes(names, found, CLASSES)
    of_study = submission["id"].str.endswith("_study").to_numpy()[found.text]
    is_appearance = pd.Index(found.label).isin(APPEARANCES)
    refuse_objects(names, found, of_study & ~is_appearance, "holds a class of images, but it is for a study")
    refuse_objects(names, found, ~of_study & is_appearance, "holds a class of studies, but it is for an image")
    return found


def grade_v2(submission: pd.DataFrame, answers: pd.DataFrame) -> float:
    return voc_mean_precision(parse(answers), parse_v2(submission), IOU)


def grade(submission: pd.DataFrame, answers: pd.DataFrame) -> float:
    """Return the mean over classes of the average precision, as v1 has it.

    For each class there is an item for each detection, one with score 0 for each true box that is missed, and one with
    score 0 for each row that has neither.
    """
    true, found = parse(answers), parse(submission)
    classes, true_code = np.unique(true.label, return_inverse=True)
    refuse_odd_confidences(submission, found, classes)
    code = pd.Index(classes).get_indexer(pd.Index(found.label))
    order = np.lexsort((-found.numbers[:, 0], code, found.text))
    order = order[code[order] >= 0]
    row, code, confidence, box = found.text[order], code[order], found.numbers[order, 0], found.numbers[order, 1:]

    left, right, iou = find_near(box, row * len(classes) + code, true, true.text * len(classes) + true_code)
    order = np.lexsort((right, -iou, left))
    left, right = left[order], right[order]
    matches = match_greedily(left, right)
    hit, missed = np.zeros(len(box), dtype=bool), np.ones(len(true.text), dtype=bool)
    hit[left[matches]], missed[right[matches]] = True, False

    scores = []
    for number in range(len(classes)):
        rows = np.union1d(row[code == number], true.text[true_code == number])
        misses, absent = np.count_nonzero(missed[true_code == number]), len(answers) - len(rows)
        truth = np.concatenate([hit[code == number], np.ones(misses), np.zeros(absent)])
        score = np.concatenate([confidence[code == number], np.zeros(misses + absent)])
        scores.append(average_precision_score(truth, score))
    return float(np.mean(scores))


def find_near(
    box: np.ndarray, group: np.ndarray, true: Objects, true_group: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the pairs of boxes of the same group that overlap enough, as positions, and their overlap."""
    parts = []
    for start in range(0, max(len(box), 1), AT_ONCE):
        left, right = pair_up(group[start : start + AT_ONCE], true_group)
        left += start
        iou = box_iou(box[left], true.numbers[right, 1:])
        near = iou > IOU
        parts.append((left[near], right[near], iou[near]))
    left, right, iou = (np.concatenate(column) for column in zip(*parts, strict=True))
    return left, right, iou


def parse(table: pd.DataFrame) -> Objects:
    return parse_objects(table["id"], table["PredictionString"], width=6, label=0)


def refuse_odd_confidences(submission: pd.DataFrame, found: Objects, classes: object) -> None:
    """Refuse confidences that are not finite, which v1 forgives for words that are no class."""
    odd = ~np.isfinite(found.numbers[:, 0]) & pd.Index(found.label).isin(classes)
    if odd.any():
        name = plain(submission["id"].iloc[found.text[np.argmax(odd)]])
        raise InvalidSubmissionError(f"The prediction for {name} holds a confidence that is not finite.")
