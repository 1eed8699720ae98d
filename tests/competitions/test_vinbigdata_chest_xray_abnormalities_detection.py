"""The grader compared with pycocotools, with the input that v1 defines."""

from __future__ import annotations

import contextlib
import io

import numpy as np
import pandas as pd
import pytest
from pycocotools.coco import COCO
from pycocotools.cocoeval import COCOeval

from mlebench.tasks.registry import Registry

CORNERS = ["x_min", "y_min", "x_max", "y_max"]
ODD = ["nan", "inf", "-inf", "1e300", "0", "100001", "-5"]


@pytest.fixture(scope="module")
def score():
    return Registry().get_competition("vinbigdata-chest-xray-abnormalities-detection").grader.score


def make_answers(rng: np.random.Generator) -> pd.DataFrame:
    rows = [
        (f"image{number:02}", label, *box, *(box + rng.integers(5, 300, 2)))
        for number in range(12)
        for label in sorted(rng.choice(6, 3, replace=False))
        for box in [rng.integers(0, 500, 2)]
    ]
    answers = pd.DataFrame(rows, columns=["image_id", "class_id", *CORNERS])
    answers.loc[rng.choice(len(answers), 2), "x_max"] = 1  # an area below 0, which pycocotools ignores
    return answers


def make_submission(rng: np.random.Generator, answers: pd.DataFrame, copies: int) -> pd.DataFrame:
    """Return noisy copies of the true boxes, some with odd values, and some images in two rows."""
    texts: dict[str, list[str]] = {}
    for name, label, *box in answers[["image_id", "class_id", *CORNERS]].itertuples(index=False):
        for _ in range(rng.integers(1, copies + 1)):
            words = [label if rng.random() < 0.9 else 9, rng.choice([0.1, 0.5, 0.9]), *(box + rng.normal(0, 40, 4))]
            if rng.random() < 0.1:
                words[int(rng.integers(1, 6))] = rng.choice(ODD)
            texts.setdefault(name, []).append(" ".join(map(str, words)))
    rows = [(name, " ".join(half)) for name, parts in texts.items() for half in (parts[::2], parts[1::2]) if half]
    return pd.DataFrame(rows, columns=["image_id", "PredictionString"]).sample(frac=1, random_state=copies)


def as_coco(boxes: list[dict], images: int, labels: list[int]) -> COCO:
    coco = COCO()
    for number, entry in enumerate(boxes):
        left, top, right, bottom = entry["bbox"]
        entry |= {"id": number, "iscrowd": 0, "area": (right - left) * (bottom - top)}
    coco.dataset = {
        "images": [{"id": number} for number in range(images)],
        "categories": [{"id": label} for label in labels],
        "annotations": boxes,
    }
    coco.createIndex()
    return coco


def reference(submission: pd.DataFrame, answers: pd.DataFrame) -> float:
    numbers = {name: number for number, name in enumerate(answers["image_id"].unique())}
    labels = sorted(answers["class_id"].unique().tolist())
    true = [
        {"image_id": numbers[name], "category_id": label, "bbox": box}
        for name, label, *box in answers[["image_id", "class_id", *CORNERS]].itertuples(index=False)
    ]
    found = [
        {"image_id": numbers[name], "category_id": int(label), "score": confidence, "bbox": box}
        for name, text in submission[["image_id", "PredictionString"]].itertuples(index=False)
        for label, confidence, *box in np.array(text.split(" "), dtype=float).reshape(-1, 6).tolist()
    ]
    with contextlib.redirect_stdout(io.StringIO()), np.errstate(all="ignore"):
        evaluation = COCOeval(as_coco(true, len(numbers), labels), as_coco(found, len(numbers), labels), "bbox")
        evaluation.params.iouThrs = np.array([0.4])
        evaluation.evaluate()
        evaluation.accumulate()
    precision = evaluation.eval["precision"][:, :, :, 0, 2]
    return float(precision[precision > -1].mean())


@pytest.mark.parametrize("copies", [1, 2, 6, 150])
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_score_is_that_of_pycocotools(score, seed, copies):
    rng = np.random.default_rng(seed)
    answers = make_answers(rng)
    submission = make_submission(rng, answers, copies)
    assert score(submission, answers) == pytest.approx(reference(submission, answers), rel=1e-12)


def test_a_box_of_nothing_is_found_everywhere(score):
    answers = make_answers(np.random.default_rng(0)).assign(x_max=900)
    words = answers["class_id"].astype(str) + " 1 nan nan nan nan"
    nothing = words.groupby(answers["image_id"]).agg(" ".join).rename("PredictionString").reset_index()
    right = answers[CORNERS].astype(str).agg(" ".join, axis=1)
    words = answers["class_id"].astype(str) + " 1 " + right
    perfect = words.groupby(answers["image_id"]).agg(" ".join).rename("PredictionString").reset_index()
    assert score(nothing, answers) == score(perfect, answers) > 0.9
