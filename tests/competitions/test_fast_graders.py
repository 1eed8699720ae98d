"""Fast parts of graders give what simple ones give, to the last bit."""

from __future__ import annotations

import numpy as np
import pytest

from mlebench.ground.loading import load_module
from mlebench.metrics.detection import box_iou, parse_objects, rotated_box_iou
from mlebench.tasks.registry import COMPETITIONS_DIR


def task(folder: str):
    return load_module(COMPETITIONS_DIR / folder / "task.py")


def simple_count(true, found):
    """Let each true box in turn take the first free point of its page and label inside it."""
    free = set(range(len(found.text)))
    for page, label, (x, y, width, height) in zip(true.text, true.label, true.numbers, strict=True):
        for point in sorted(free):
            (a, b) = found.numbers[point]
            same = found.text[point] == page and found.label[point] == label
            if same and x < a < x + width and y < b < y + height:
                free.remove(point)
                break
    return len(found.text) - len(free)


@pytest.mark.parametrize("seed", range(60))
def test_characters_are_hit_as_one_by_one(seed):
    rng = np.random.default_rng(seed)

    def page(count, words, odd=("nan", "inf", "2.5")):
        numbers = rng.integers(0, 9, (count, words)).astype(object)
        numbers[rng.random((count, words)) < 0.03] = rng.choice(odd)
        labels = rng.choice(list("aab"), count)
        return " ".join(f"{label} {' '.join(map(str, row))}" for label, row in zip(labels, numbers, strict=True))

    true = parse_objects("pq", [page(rng.integers(0, 12), 4, ("2.5",)) for _ in "pq"], 5, 0)
    found = parse_objects("pq", [page(rng.integers(0, 60), 2) for _ in "pq"], 3, 0)
    assert task("kuzushiji_recognition").count_hits(true, found) == simple_count(true, found)


def simple_nearest(box, group, true_box, true_group):
    """Measure each box with each true one of its group."""
    nearest, best = np.full(len(box), -1), np.zeros(len(box))
    for place in range(len(box)):
        others = np.flatnonzero(true_group == group[place])
        iou = rotated_box_iou(np.repeat(box[[place]], len(others), axis=0), true_box[others])
        if (iou > 0.5).any():
            nearest[place], best[place] = others[np.nanargmax(iou)], np.nanmax(iou)
    return nearest, best


@pytest.mark.parametrize("seed", range(40))
def test_cars_are_found_as_in_all_pairs(seed):
    rng = np.random.default_rng(seed)
    center, size = rng.normal(0, [5, 5, 0.1], (60, 3)), rng.uniform(1, 6, (60, 3))
    true = np.column_stack([center, size, rng.uniform(-4, 4, 60)])
    source, true_group = rng.integers(0, 60, 400), rng.integers(0, 3, 60)
    found = true[source]
    found += rng.normal(0, 0.3, found.shape) * rng.choice([0, 0.1, 1], (400, 7))
    odd = rng.choice([1.5, 10, 1e-3, 1e6, 1e-6], (400, 3))
    found[:, 3:6] = np.abs(found[:, 3:6]) * np.where(rng.random((400, 1)) < 0.2, odd, 1)
    found[::50, rng.integers(0, 3)] = rng.choice([np.nan, np.inf, -np.inf, 1e300])
    group = np.where(rng.random(400) < 0.8, true_group[source], rng.integers(0, 3, 400))
    wanted = simple_nearest(found, group, true, true_group)
    given = task("_3d_object_detection_for_autonomous_vehicles").find_nearest(found, group, true, true_group)
    assert [side.tolist() for side in given] == [side.tolist() for side in wanted]
    assert (wanted[0] >= 0).sum() > 50


@pytest.mark.parametrize("seed", range(10))
def test_opacities_are_paired_in_portions_as_at_once(seed, monkeypatch):
    rng = np.random.default_rng(seed)
    module = task("siim_covid19_detection")
    corner = rng.integers(0, 6, (80, 2))
    box = np.column_stack([corner, corner + rng.integers(-1, 6, (80, 2))]).astype(float)
    true = parse_objects("a", ["o 1 " + " o 1 ".join(" ".join(map(str, row)) for row in box[:20])], 6, 0)
    group, true_group = rng.integers(0, 3, 80), rng.integers(0, 3, 20)
    iou = np.array([box_iou(np.repeat(row[np.newaxis], 20, axis=0), box[:20]) for row in box])
    wanted = np.argwhere((iou > 0.5) & (group[:, np.newaxis] == true_group))
    for portion in (1, 7, 1000):
        monkeypatch.setattr(module, "AT_ONCE", portion)
        left, right, found = module.find_near(box, group, true, true_group)
        assert np.column_stack([left, right]).tolist() == wanted.tolist()
        assert found.tolist() == iou[left, right].tolist()
