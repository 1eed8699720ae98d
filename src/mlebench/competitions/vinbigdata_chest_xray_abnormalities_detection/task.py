"""Boxes around abnormalities of the chest on radiographs, read by three radiologists."""

from pathlib import Path

import numpy as np
import pandas as pd

from mlebench.errors import InvalidSubmissionError
from mlebench.metrics.boxes import check_boxes, voc_mean_precision
from mlebench.metrics.detection import Objects, box_iou, parse_objects
from mlebench.preparation import place_files, read_csv, train_test_split, write_csv
from mlebench.tasks.matching import match_repeats

CORNERS = ["x_min", "y_min", "x_max", "y_max"]
NO_FINDING = 14
NO_BOX = f"{NO_FINDING} 1 0 0 1 1"
MIN_READERS = 2
"""Radiologists who must have marked a box that counts in v2."""
IOU, BEST, LARGEST = 0.4, 100, 1e10
"""The threshold of a hit, the detections of an image and class that count, the area from which a box is ignored."""
RECALLS = np.linspace(0, 1, 101)


def prepare(raw: Path, public: Path, private: Path) -> None:
    _, boxes = split_images(raw, public)
    answers = boxes.groupby(["image_id", "class_id"]).first().reset_index()
    answers = answers.fillna(dict.fromkeys(CORNERS, 0) | dict.fromkeys(["class_name", "rad_id"], "0"))
    answers.loc[answers["class_id"] == NO_FINDING, ["x_max", "y_max"]] = 1.0
    write_csv(answers, private / "answers.csv")
    gold = answers["class_id"].astype(str) + " 1.0"
    for name in CORNERS:
        gold += " " + answers[name].astype(str)
    gold = gold.groupby(answers["image_id"]).agg(" ".join)
    write_csv(gold.rename("PredictionString").reset_index(), private / "gold_submission.csv")


def prepare_v2(raw: Path, public: Path, private: Path) -> None:
    test, boxes = split_images(raw, public)
    findings = agreed_boxes(boxes[boxes["class_id"] != NO_FINDING])
    objects = findings["class_id"].astype(str) + " 1"
    for name in CORNERS:
        objects += " " + findings[name].round().astype(int).astype(str)
    texts = objects.groupby(findings["image_id"]).agg(" ".join)
    write_csv(test.assign(PredictionString=test["image_id"].map(texts).fillna(NO_BOX)), private / "test.csv")


def split_images(raw: Path, public: Path) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Write the public files; return the test images and their annotations."""
    boxes = read_csv(raw / "train.csv")
    train, test = train_test_split(boxes[["image_id"]].drop_duplicates(), test_size=0.1)
    write_csv(boxes[boxes["image_id"].isin(train["image_id"])], public / "train.csv")
    write_csv(test.assign(PredictionString=NO_BOX), public / "sample_submission.csv")
    for part, frame in (("train", train), ("test", test)):
        place_files(frame["image_id"] + ".dicom", raw / "train", public / part)
    return test, boxes[boxes["image_id"].isin(test["image_id"])]


def agreed_boxes(boxes: pd.DataFrame) -> pd.DataFrame:
    """Return the mean boxes of what several radiologists marked.

    A box belongs to the first box of its image and class, in the order of the table, that it overlaps enough and that
    belongs to no other.
    """
    corners, clusters = boxes[CORNERS].to_numpy(dtype=float), np.full(len(boxes), -1)
    for rows in boxes.groupby(["image_id", "class_id"]).indices.values():
        heads: list[tuple[int, np.ndarray]] = []
        for row, box in zip(rows, corners[rows], strict=True):
            near = [head for head, first in heads if box_iou(box[np.newaxis], first[np.newaxis])[0] >= IOU]
            clusters[row] = near[0] if near else row
            if not near:
                heads.append((row, box))
    marked = boxes.assign(cluster=clusters).groupby(["image_id", "class_id", "cluster"])
    means = marked[CORNERS].mean()[marked["rad_id"].nunique() >= MIN_READERS]
    return means.reset_index()


def check(submission: pd.DataFrame) -> None:
    parse(submission)


def check_v2(submission: pd.DataFrame) -> None:
    parse_v2(submission)


def parse_v2(submission: pd.DataFrame) -> Objects:
    found = parse_objects(submission["image_id"], submission["PredictionString"], width=6, label=0)
    check_boxes(submission["image_id"].tolist(), found, labels=[str(label) for label in range(NO_FINDING + 1)])
    return found


def parse(submission: pd.DataFrame) -> Objects:
    found = parse_objects(submission["image_id"], submission["PredictionString"], width=6, separator=" ")
    if not np.isfinite(found.numbers[:, 0]).all():
        raise InvalidSubmissionError("The class of an object must be a whole number, but one is not finite.")
    return found


def grade_v2(submission: pd.DataFrame, answers: pd.DataFrame) -> float:
    return voc_mean_precision(parse_v2(answers), parse_v2(submission), IOU)


def grade(submission: pd.DataFrame, answers: pd.DataFrame) -> float:
    """Return COCO's average precision, averaged over classes, of what v1 hands to pycocotools.

    That is corners in the place of widths and heights, and numbers that begin at 0, which means "none" there: the first
    true box is never found, and what the first detection of the file finds can be found once more.
    """
    images = answers[["image_id"]].drop_duplicates()
    match_repeats(submission[["image_id"]], images)
    found = parse(submission)
    label, confidence, box = np.trunc(found.numbers[:, 0]), found.numbers[:, 1], found.numbers[:, 2:]
    ids = pd.Index(images["image_id"])
    image = ids.get_indexer(pd.Index(submission["image_id"]))[found.text]
    labels, true_label = np.unique(answers["class_id"], return_inverse=True)
    code = np.minimum(np.searchsorted(labels, label), len(labels) - 1)
    position = np.full((len(ids), len(labels)), -1)  # of the true box, of which image and class have one at most
    position[ids.get_indexer(pd.Index(answers["image_id"])), true_label] = np.arange(len(answers))
    wanted = position[image, code]

    order = np.lexsort((-confidence, code, image))
    order = order[labels[code[order]] == label[order]]
    place = pd.DataFrame({"image": image[order], "code": code[order]}).groupby(["image", "code"]).cumcount()
    order = order[place.to_numpy() < BEST]
    true_box = answers[CORNERS].to_numpy(dtype=float)
    hits = order[(wanted[order] >= 0) & ~(misread_iou(box[order], true_box[wanted[order]]) < IOU)]  # so NaN is a hit
    takers = np.union1d(first_of_each(hits, wanted), first_of_each(hits[hits != 0], wanted))

    left_out = is_left_out(true_box)
    match = np.full(len(label), -1)
    match[takers] = wanted[takers]
    true = (match > 0) & ~left_out[match]
    ignored = ((match >= 0) & left_out[match]) | ((match <= 0) & is_left_out(box))
    scores = []
    for number in range(len(labels)):
        positives = int(np.count_nonzero(~left_out[true_label == number]))
        rows = order[code[order] == number]
        rows = rows[np.argsort(-confidence[rows], kind="stable")]
        if positives:
            scores.append(interpolated_precision(true[rows], ~true[rows] & ~ignored[rows], positives))
    return float(np.mean(np.stack(scores, axis=1).ravel()))


def misread_iou(box: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Return the overlap of boxes, row by row, that are read as x, y, width and height."""
    with np.errstate(all="ignore"):
        sides = np.fmin(box[:, :2] + box[:, 2:], other[:, :2] + other[:, 2:]) - np.fmax(box[:, :2], other[:, :2])
        shared = sides.prod(axis=1)
        iou = shared / (box[:, 2:].prod(axis=1) + other[:, 2:].prod(axis=1) - shared)
    return np.where((sides <= 0).any(axis=1), 0, iou)


def is_left_out(box: np.ndarray) -> np.ndarray:
    with np.errstate(all="ignore"):
        area = (box[:, 2] - box[:, 0]) * (box[:, 3] - box[:, 1])
    return np.asarray((area < 0) | (area > LARGEST))


def first_of_each(hits: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    return hits[np.unique(wanted[hits], return_index=True)[1]]


def interpolated_precision(true: np.ndarray, false: np.ndarray, positives: int) -> np.ndarray:
    """Return the best precision from each of 101 recalls on; 0 where it is never reached."""
    hits, misses = np.cumsum(true), np.cumsum(false)
    precision = hits / (hits + misses + np.spacing(1))
    best = np.append(np.maximum.accumulate(precision[::-1])[::-1], 0)
    return best[np.searchsorted(hits / positives, RECALLS)]
