"""Boxes in space around cars, people and animals, from the cameras and lidars of a vehicle."""

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from mlebench.errors import InvalidSubmissionError
from mlebench.ground.wording import plain
from mlebench.metrics.boxes import refuse_objects
from mlebench.metrics.detection import Objects, ground_corners, parse_objects, rotated_box_iou
from mlebench.metrics.pairing import pair_inside
from mlebench.preparation import group_split, place_files, read_csv, split_positions, write_csv

CONSTANT = ["attribute.json", "category.json", "sensor.json", "visibility.json"]
CLASSES = pd.Index(
    ["car", "other_vehicle", "pedestrian", "bicycle", "truck", "bus", "motorcycle", "animal", "emergency_vehicle"]
)
FOLDERS = {"jpeg": "images", "bin": "lidar"}
THRESHOLDS = np.linspace(0.5, 0.95, 10)
AT_ONCE = 20_000
"""Detections that are checked, or pairs whose overlap is computed, together, to bound the memory."""
MARGIN = 0.1
"""The part of a true box's size by which the center of a detection that overlaps half of it may seem to be outside."""

DAY, TIME_ZONE = 24 * 3600 * 10**6, -8 * 3600 * 10**6
"""A day, and the distance of local time from that of the data, in microseconds."""

Entries = list[dict[str, Any]]


def prepare(raw: Path, public: Path, private: Path) -> None:
    tokens = np.array([log["token"] for log in load(raw, "log")], dtype=object)
    train, test = (tokens[rows].tolist() for rows in split_positions(len(tokens), test_size=0.2))
    logs = {"train": train, "test": test}
    # v1's quirks: the map of train names the drives of test, and poses that are shared are repeated
    write_sides(raw, public, private, logs, map_logs={"train": test, "test": test}, poses_of=list)


def prepare_v2(raw: Path, public: Path, private: Path) -> None:
    days = {sample["scene_token"]: (sample["timestamp"] + TIME_ZONE) // DAY for sample in load(raw, "sample")}
    drives = pd.DataFrame({"token": [log["token"] for log in load(raw, "log")]})
    parts = group_split(drives, drives["token"].map(days), test_size=0.2)
    logs = {name: part["token"].tolist() for name, part in zip(("train", "test"), parts, strict=True)}
    write_sides(raw, public, private, logs, map_logs=logs, poses_of=dict.fromkeys)


def load(raw: Path, name: str) -> Entries:
    entries: Entries = json.loads((raw / "train_data" / f"{name}.json").read_bytes())
    return entries


def write_sides(
    raw: Path,
    public: Path,
    private: Path,
    logs: dict[str, list[str]],
    map_logs: dict[str, list[str]],
    poses_of: Callable[[Iterable[str]], Iterable[str]],
) -> None:
    """Write both sides, given the drives of each and those that its map names."""

    def save(part: str, name: str, entries: Entries) -> None:
        path = public / f"{part}_data" / f"{name}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(entries))

    def divide(name: str, key: str, sides: dict[str, str]) -> dict[str, Entries]:
        parts: dict[str, Entries] = {"train": [], "test": []}
        for entry in load(raw, name):
            parts[sides[entry[key]]].append(entry)
        return parts

    log_side = {log: part for part, tokens in logs.items() for log in tokens}
    samples = divide("sample", "scene_token", log_side)  # a scene has the token of its log
    sample_side = {sample["token"]: part for part, entries in samples.items() for sample in entries}
    recordings = divide("sample_data", "sample_token", sample_side)
    tables = {"log": divide("log", "token", log_side), "scene": divide("scene", "log_token", log_side)}
    tables |= {"sample": samples, "sample_data": recordings}
    sensors, poses = (
        {entry["token"]: entry for entry in load(raw, name)} for name in ("calibrated_sensor", "ego_pose")
    )
    for part, entries in recordings.items():
        for name, divided in tables.items():
            save(part, name, divided[part])
        named = dict.fromkeys(entry["calibrated_sensor_token"] for entry in entries)
        save(part, "calibrated_sensor", [sensors[token] for token in named])
        save(part, "ego_pose", [poses[token] for token in poses_of(entry["ego_pose_token"] for entry in entries)])
        save(part, "map", [{**entry, "log_tokens": map_logs[part]} for entry in load(raw, "map")])
        place_files(CONSTANT, raw / "train_data", public / f"{part}_data")
        place_files(["map_raster_palo_alto.png"], raw / "train_maps", public / f"{part}_maps")
        names: dict[str, set[str]] = {folder: set() for folder in FOLDERS.values()}
        for entry in entries:
            names[FOLDERS[entry["fileformat"]]].add(entry["filename"].rpartition("/")[2])
        for folder, wanted in names.items():
            place_files(wanted, raw / f"train_{folder}", public / f"{part}_{folder}")
    del tables, samples, recordings, sensors, poses  # as long as annotations are, a gigabyte or two

    annotations = divide("sample_annotation", "sample_token", sample_side)["train"]
    save("train", "sample_annotation", annotations)
    seen = {annotation["instance_token"] for annotation in annotations}
    save("train", "instance", [instance for instance in load(raw, "instance") if instance["token"] in seen])

    boxes = read_csv(raw / "train.csv")
    side = boxes["Id"].map(sample_side)
    test = boxes[side == "test"]
    write_csv(boxes[side == "train"], public / "train.csv")
    write_csv(test.assign(PredictionString=""), public / "sample_submission.csv")
    with_confidence = test["PredictionString"].str.replace(r"((?:[^ ]+ ){7}[^ ]+)", r"1.0 \1", regex=True)
    write_csv(test.assign(PredictionString=with_confidence), private / "test.csv")


def check(submission: pd.DataFrame) -> None:
    """Be stricter than grading, which forgives boxes of classes that a sample lacks; only the answers tell which."""
    found = parse(submission)
    refuse_bad_boxes(submission, found, np.arange(len(found.text)))


def check_v2(submission: pd.DataFrame) -> None:
    parse_v2(submission)


def parse_v2(submission: pd.DataFrame) -> Objects:
    names = submission["Id"].tolist()
    found = parse_objects(names, submission["PredictionString"], width=9, label=8)
    odd = ~pd.Index(found.label).isin(CLASSES)
    if odd.any():
        label = plain(found.label[np.argmax(odd)])
        refuse_objects(names, found, odd, f"holds the class {label}, which is none of the {len(CLASSES)} classes")
    confidence = found.numbers[:, 0]
    refuse_objects(names, found, ~np.isfinite(found.numbers).all(axis=1), "holds a number that is not finite")
    refuse_objects(names, found, (confidence < 0) | (confidence > 1), "holds a confidence that is not between 0 and 1")
    refuse_bad_boxes(submission, found, np.arange(len(found.text)))
    return found


def grade_v2(submission: pd.DataFrame, answers: pd.DataFrame) -> float:
    """Return the mean over samples and thresholds of TP / (TP + FP + FN), 1 where nothing is true or found."""
    true, found = parse(answers), parse_v2(submission)
    group, true_group = (side.text * len(CLASSES) + CLASSES.get_indexer(pd.Index(side.label)) for side in (found, true))
    nearest, iou = find_nearest(found.numbers[:, 1:], group, true.numbers[:, 1:], true_group)
    best = np.zeros(len(true.text))
    np.maximum.at(best, nearest[nearest >= 0], iou[nearest >= 0])
    boxes = sum(np.bincount(side.text, minlength=len(answers)) for side in (found, true))
    hits = [np.bincount(true.text[best > threshold], minlength=len(answers)) for threshold in THRESHOLDS]
    shares = [np.where(boxes, hit / np.maximum(boxes - hit, 1), 1) for hit in hits]
    return float(np.mean(shares))


def grade(submission: pd.DataFrame, answers: pd.DataFrame) -> float:
    """Return the mean over samples of the mean over the classes there of the average precision, over all thresholds."""
    true, found = parse(answers), parse(submission)
    classes, true_code = np.unique(true.label, return_inverse=True)
    code = pd.Index(classes).get_indexer(pd.Index(found.label))
    groups, true_group, sizes = np.unique(true.text * len(classes) + true_code, return_inverse=True, return_counts=True)
    group = pd.Index(groups).get_indexer(pd.Index(np.where(code < 0, -1, found.text * len(classes) + code)))
    scored = np.flatnonzero(group >= 0)  # detections of classes that the sample lacks cost nothing
    refuse_bad_boxes(submission, found, scored)

    order = scored[np.lexsort((-found.numbers[scored, 0], group[scored]))]
    group = group[order]
    place = np.arange(1, len(order) + 1) - np.searchsorted(group, group)
    nearest, iou = find_nearest(found.numbers[order, 1:], group, true.numbers[:, 1:], true_group)
    precision = [average_precision(group, place, nearest, iou > threshold, sizes) for threshold in THRESHOLDS]
    sample = groups // len(classes)
    per_sample = np.bincount(sample, np.mean(precision, axis=0)) / np.bincount(sample)
    return float(np.mean(per_sample))


def find_nearest(box: np.ndarray, group: np.ndarray, true_box: np.ndarray, true_group: np.ndarray) -> tuple[Any, Any]:
    """Return for each box the true one of its group that it overlaps most, and how much: -1 and 0 for half or less.

    Two convex bodies, of which one is symmetric, share no more than half of it if its center is outside of the other.
    So only detections with their center in a true box are measured. The margin makes up for rounding.
    """
    nearest, best = np.full(len(box), -1), np.zeros(len(box))
    corners = ground_corners(true_box)
    margin = MARGIN * true_box[:, 3:5].max(axis=1, keepdims=True, initial=0)
    low, high = corners.min(axis=1) - margin, corners.max(axis=1) + margin
    true, found = pair_inside(low, high, true_group, box[:, :2], group)
    parts = [slice(start, start + AT_ONCE) for start in range(0, len(found), AT_ONCE)]
    iou = np.concatenate([[], *(rotated_box_iou(box[found[part]], true_box[true[part]]) for part in parts)])
    close = np.flatnonzero(iou > THRESHOLDS[0])
    close = close[np.lexsort((true[close], -iou[close], found[close]))]
    numbers, first = np.unique(found[close], return_index=True)
    nearest[numbers], best[numbers] = true[close][first], iou[close][first]
    return nearest, best


def average_precision(
    group: np.ndarray, place: np.ndarray, nearest: np.ndarray, hit: np.ndarray, sizes: np.ndarray
) -> np.ndarray:
    """Return the area under the precision-recall curve of each group, precision being the best from a recall on.

    Of the detections that hit the same true box, the first one finds it. The curve can only rise where one is found.
    """
    hits = np.flatnonzero(hit)
    finds = np.sort(hits[np.unique(nearest[hits], return_index=True)[1]])
    group = group[finds]
    precision = (np.arange(1, len(finds) + 1) - np.searchsorted(group, group)) / place[finds]
    values, rank = np.unique(precision, return_inverse=True)
    behind = rank - group * len(values)  # grows from the last group to the first, so that maxima end with a group
    best = values[np.maximum.accumulate(behind[::-1])[::-1] + group * len(values)]
    area: np.ndarray = np.bincount(group, best, minlength=len(sizes)) / sizes
    return area


def parse(table: pd.DataFrame) -> Objects:
    texts = [text if text.strip() else "" for text in table["PredictionString"]]
    found = parse_objects(table["Id"], texts, width=9, label=8, separator=" ")
    refuse(table, found, np.isinf(found.numbers[:, 7]), "a yaw that is infinite")
    return found


def refuse_bad_boxes(submission: pd.DataFrame, found: Objects, rows: np.ndarray) -> None:
    box = found.numbers[rows, 1:]
    with np.errstate(all="ignore"):
        sides = np.roll(corners := ground_corners(box), -1, axis=1) - corners
        skew = np.abs((sides * np.roll(sides, 1, axis=1)).sum(axis=2)).max(axis=1)
    for bad, what in (
        (np.isnan(box).any(axis=1), "a box with a number missing"),
        ((box[:, 3:6] <= 0).any(axis=1), "a box without extent"),
        (~(skew <= 1e-8), "a box too large or too far away to have right angles"),
    ):
        refuse(submission, found, np.isin(np.arange(len(found.text)), rows[bad]), what)


def refuse(table: pd.DataFrame, found: Objects, bad: np.ndarray, what: str) -> None:
    if bad.any():
        name = plain(table["Id"].iloc[found.text[np.argmax(bad)]])
        raise InvalidSubmissionError(f"The prediction for {name} holds {what}.")
