"""The grader of v1 compared with pycocotools, with the input that v1 defines, and the truth of v2."""

from __future__ import annotations

import contextlib
import io

import numpy as np
import pandas as pd
import pytest
from pycocotools.coco import COCO
from pycocotools.cocoeval import COCOeval

from mlebench.ground.loading import load_module
from mlebench.ground.tables import read_csv
from mlebench.tasks.registry import COMPETITIONS_DIR, Registry

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


def test_the_truth_of_v2_has_several_boxes_of_a_class(prepared):
    most = {}
    for version in ("v1", "v2"):
        task = prepared(f"vinbigdata-chest-xray-abnormalities-detection@{version}")
        texts = read_csv(task.gold_submission)["PredictionString"]
        most[version] = texts.map(lambda text: text.split()[::6].count("8")).max()
    assert most == {"v1": 1, "v2": 2}


def test_boxes_of_radiologists_are_joined_where_they_overlap():
    boxes = pd.DataFrame(
        [
            ("a", 8, "R1", 0, 0, 10, 10),
            ("a", 8, "R2", 0, 2, 10, 12),
            ("a", 8, "R1", 50, 50, 60, 60),
            ("a", 8, "R3", 50, 50, 60, 62),
            ("a", 8, "R3", 80, 80, 90, 90),  # by one of them only
            ("a", 3, "R2", 80, 80, 90, 90),
            ("b", 3, "R1", 80, 80, 90, 90),
            ("b", 3, "R1", 80, 80, 90, 90),
        ],
        columns=["image_id", "class_id", "rad_id", *CORNERS],
    )
    code = load_module(COMPETITIONS_DIR / "vinbigdata_chest_xray_abnormalities_detection" / "task.py")
    joined = code.agreed_boxes(boxes)
    assert joined[["image_id", "class_id", *CORNERS]].values.tolist() == [
        ["a", 8, 0, 1, 10, 11],
        ["a", 8, 50, 50, 60, 61],
    ]


@pytest.mark.parametrize("version", ["v1", "v2"])
def test_only_v2_gives_right_boxes_a_score_of_1(prepared, version):
    task = prepared(f"vinbigdata-chest-xray-abnormalities-detection@{version}")
    score = task.grader.score(read_csv(task.gold_submission), read_csv(task.answers))
    assert score == 1 if version == "v2" else score < 1
