"""The score of v2 from true and false positives, and the tables of both versions."""

from __future__ import annotations

import json

import numpy as np
import pytest
from shapely.affinity import rotate, translate
from shapely.geometry import box as rectangle

from mlebench.ground.tables import read_csv

ID = "3d-object-detection-for-autonomous-vehicles"


def in_space(words: list[str]) -> tuple:
    """Return the class, the base area, the lower end and the upper end of a box."""
    x, y, z, width, length, height, yaw = map(float, words[1:8])
    ground = rotate(rectangle(-length / 2, -width / 2, length / 2, width / 2), yaw, use_radians=True, origin=(0, 0))
    return words[8], translate(ground, x, y), z - height / 2, z + height / 2


def overlap(one: tuple, other: tuple) -> float:
    volumes = sum(area.area * (high - low) for _, area, low, high in (one, other))
    shared = one[1].intersection(other[1]).area * max(min(one[3], other[3]) - max(one[2], other[2]), 0)
    return shared / (volumes - shared) if one[0] == other[0] else 0.0


def precision(found: str, true: str, threshold: float) -> float:
    """Return TP / (TP + FP + FN), with detections matched one to one as they come."""
    given, wanted = (
        [in_space(text.split()[place : place + 9]) for place in range(0, len(text.split()), 9)]
        for text in (found, true)
    )
    free = set(range(len(wanted)))
    for box in given:
        best = max(free, key=lambda place: overlap(box, wanted[place]), default=None)
        if best is not None and overlap(box, wanted[best]) > threshold:
            free.remove(best)
    hits = len(wanted) - len(free)
    return hits / (len(given) + len(wanted) - hits) if given or wanted else 1.0


def noisy(text: str, rng: np.random.Generator) -> str:
    """Return boxes moved by a little, some left out, some repeated, some of another class."""
    words, boxes = text.split(), []
    for place in range(0, len(words), 9):
        confidence, *numbers, label = words[place : place + 9]
        moved = np.array(numbers, dtype=float) + rng.normal(0, 0.05, 7)
        label = label if rng.random() < 0.8 else "bus"
        boxes += [" ".join([confidence, *map(str, moved), label])] * rng.choice([0, 1, 1, 2])
    return " ".join(boxes)


@pytest.fixture
def task(prepared):
    return prepared(f"{ID}@v2")


def test_the_score_is_the_mean_share_of_true_positives(task, seed):
    answers, rng = read_csv(task.answers, text=["PredictionString"]), np.random.default_rng(seed)
    found = answers.assign(PredictionString=[noisy(text, rng) for text in answers["PredictionString"]])
    expected = [
        precision(*texts, threshold)
        for texts in zip(found["PredictionString"], answers["PredictionString"], strict=True)
        for threshold in np.linspace(0.5, 0.95, 10)
    ]
    assert task.grader.score(found, answers) == pytest.approx(np.mean(expected))
    assert task.grader.score(answers, answers) == 1


@pytest.mark.parametrize(("version", "score"), [("v1", 1), ("v2", 0.5)])
def test_only_v1_forgives_boxes_that_are_given_twice(prepared, version, score):
    task = prepared(f"{ID}@{version}")
    answers = read_csv(task.answers, text=["PredictionString"])
    texts = answers["PredictionString"]
    assert task.grader.score(answers.assign(PredictionString=texts + " " + texts), answers) == score


@pytest.mark.parametrize("version", ["v1", "v2"])
def test_only_v2_has_maps_of_each_side_and_each_pose_once(prepared, version):
    public = prepared(f"{ID}@{version}").public_dir
    for part in ("train", "test"):
        log, (map_, *_), poses = (
            json.loads((public / f"{part}_data" / f"{name}.json").read_bytes()) for name in ("log", "map", "ego_pose")
        )
        own = {entry["token"] for entry in log} == set(map_["log_tokens"])
        assert own == ((version, part) != ("v1", "train"))
        assert (len({pose["token"] for pose in poses}) == len(poses)) == (version == "v2")
