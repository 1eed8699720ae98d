from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from mlebench.errors import InvalidSubmissionError
from mlebench.metrics.boxes import check_boxes, voc_mean_precision
from mlebench.metrics.detection import parse_objects

PICTURES, CLASSES = 5, ["mass", "nodule", "effusion"]


def random_texts(rng: np.random.Generator, most: int) -> list[str]:
    """Prediction strings with small boxes, so that some overlap, and few confidences, so that some are equal."""
    texts = []
    for _ in range(PICTURES):
        words = []
        for _ in range(rng.integers(0, most + 1)):
            x, y = rng.integers(0, 4, 2)
            width, height = rng.integers(1, 4, 2)
            words += [rng.choice(CLASSES), rng.integers(0, 6) / 5, x, y, x + width, y + height]
        texts.append(" ".join(map(str, words)))
    return texts


def objects(text: str) -> list[tuple[str, float, tuple[float, ...]]]:
    words = text.split()
    rows = [words[start : start + 6] for start in range(0, len(words), 6)]
    return [(label, float(confidence), tuple(map(float, box))) for label, confidence, *box in rows]


def iou(one: tuple[float, ...], other: tuple[float, ...]) -> float:
    def pixels(box: tuple[float, ...]) -> set[tuple[float, float]]:
        return {(x, y) for x in np.arange(box[0], box[2]) for y in np.arange(box[1], box[3])}

    return len(pixels(one) & pixels(other)) / len(pixels(one) | pixels(other))


def voc_by_definition(truth: list[str], prediction: list[str], threshold: float) -> float:
    """The definition, one detection after the other, and the curve point by point."""
    areas = []
    for name in sorted({label for text in truth for label, *_ in objects(text)}):
        boxes = [[box for label, _, box in objects(text) if label == name] for text in truth]
        taken = set()
        rows = [
            (-c, place, box)
            for place, text in enumerate(prediction)
            for label, c, box in objects(text)
            if label == name
        ]
        rows.sort(key=lambda row: row[0])
        hits = []
        for _, place, box in rows:
            overlaps = [iou(box, other) for other in boxes[place]]
            best = max(range(len(overlaps)), key=overlaps.__getitem__, default=None)
            is_hit = best is not None and overlaps[best] > threshold and (place, best) not in taken
            if is_hit:
                taken.add((place, best))
            hits.append(is_hit)
        total = sum(map(len, boxes))
        points = [(sum(hits[:n]) / total, sum(hits[:n]) / n) for n in range(1, len(hits) + 1)]
        recalls = sorted({0.0, *(recall for recall, _ in points)})
        areas.append(
            sum(
                (high - low) * max(precision for recall, precision in points if recall >= high)
                for low, high in itertools.pairwise(recalls)
            )
        )
    return float(np.mean(areas))


def score(truth: list[str], prediction: list[str], min_iou: float = 0.5) -> float:
    names = range(len(truth))
    return voc_mean_precision(*(parse_objects(names, texts, 6, label=0) for texts in (truth, prediction)), min_iou)


def test_score_is_that_of_the_definition(seed):
    rng = np.random.default_rng(seed)
    scores = set()
    for _ in range(100):
        truth, prediction = random_texts(rng, 3), random_texts(rng, 12)
        threshold = rng.choice([0.1, 0.25, 0.4, 0.5])
        if not any(truth):
            continue
        found = score(truth, prediction, threshold)
        assert found == pytest.approx(voc_by_definition(truth, prediction, threshold), rel=1e-12, abs=1e-12)
        scores.add(found)
    assert len(scores) > 20


def test_portions_give_the_same_score(monkeypatch, seed):
    rng = np.random.default_rng(seed)
    truth, prediction = random_texts(rng, 9), random_texts(rng, 50)
    wanted = score(truth, prediction, 0.2)
    monkeypatch.setattr("mlebench.metrics.boxes.AT_ONCE", 3)
    assert score(truth, prediction, 0.2) == wanted


def test_perfect_boxes_score_one_and_order_of_words_does_not_matter():
    assert score(["mass 1 0 0 2 2 nodule 1 0 0 1 1", ""], ["nodule 0.1 0 0 1 1 mass 0.2 0 0 2 2", ""]) == 1


@pytest.mark.parametrize(
    ("prediction", "wanted"),
    [
        (["mass 1 0 0 2 2", ""], 0.5),
        (["mass 1 0 0 2 2", "mass 0.1 0 0 2 2"], 1),
        (["mass 1 0 0 2 2 mass 0.5 0 0 2 2", "mass 0.1 0 0 2 2"], (1 + 2 / 3) / 2),  # a second one is a miss
        (["mass 1 0 0 2 2 mass 0.05 0 0 2 2", "mass 0.1 0 0 2 2"], 1),
        (["mass 1 0 0 2 1", "mass 1 0 0 2 2"], 1 / 4),  # an overlap of exactly one half is a miss
        (["tram 1 0 0 2 2", "tram 1 0 0 2 2"], 0),
        (["mass 1 0 0 2 2 tram 1 0 0 2 2", "mass 0.1 0 0 2 2"], 1),  # a class without true boxes does not count
        (["mass 1 nan 0 2 2", "mass 1 inf 0 2 2"], 0),
        (["", ""], 0),
    ],
)
def test_score_of_two_pictures_with_a_mass_each(prediction, wanted):
    assert score(["mass 1 0 0 2 2", "mass 1 0 0 2 2"], prediction) == pytest.approx(wanted)


def test_no_true_boxes_score_nan():
    assert math.isnan(score(["", ""], ["mass 1 0 0 2 2", ""]))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("tram 1 0 0 2 2", "holds the class 'tram', which is none of the 3 classes"),
        ("mass 1 nan nan nan nan", "holds a number that is not finite"),
        ("mass 1 0 0 inf 2", "holds a number that is not finite"),
        ("mass nan 0 0 2 2", "holds a number that is not finite"),
        ("mass -1 0 0 2 2", "holds a confidence that is not between 0 and 1"),
        ("mass 1.1 0 0 2 2", "holds a confidence that is not between 0 and 1"),
        ("mass 1 2 0 2 2", "holds a box whose corners are not in order"),
        ("mass 1 0 3 2 2", "holds a box whose corners are not in order"),
    ],
)
def test_boxes_of_a_wrong_form_are_refused_with_their_id(text, reason):
    texts = ["mass 0 -1 0 2 2", f"nodule 1 0 0 1 1 {text}"]
    found = parse_objects(["a", "b"], texts, 6, label=0)
    with pytest.raises(InvalidSubmissionError, match=rf"^The prediction for 'b' {reason}\.$"):
        check_boxes(["a", "b"], found, CLASSES)


def test_boxes_of_the_right_form_are_taken():
    check_boxes(["a", "b"], parse_objects(["a", "b"], ["tram 0 -1 -1.5 2 2", ""], 6, label=0))
