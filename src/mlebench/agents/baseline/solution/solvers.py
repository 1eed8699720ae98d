"""Predictions for a task: features, and an estimator for each kind of task."""

from typing import Any

import numpy as np
import pandas as pd
from sklearn.calibration import CalibratedClassifierCV
from sklearn.decomposition import PCA
from sklearn.ensemble import (
    ExtraTreesClassifier,
    ExtraTreesRegressor,
    HistGradientBoostingClassifier,
    VotingClassifier,
    VotingRegressor,
)
from sklearn.linear_model import LogisticRegression, RidgeCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, LinearSVC

from .features import Features, load_picture, pixel_features
from .task import Task, mask_from_runs, runs_from_mask

TREES = 150
MASK_PIXELS = 60_000
"""Training pixels of the mask model."""
HELD_OUT = 30
"""Pictures that are held out to choose the threshold of masks."""


def solve(task: Task, seed: int) -> pd.DataFrame:
    """Return a submission with predictions."""
    solver = {
        "masks": solve_masks,
        "distribution": solve_distribution,
        "ranking": solve_ranking,
        "probability": solve_probability,
        "labels": solve_labels,
        "numbers": solve_numbers,
    }[task.kind]
    filled = solver(task, seed)
    order = task.test[task.ids[0]]
    return task.sample[task.ids].merge(filled.assign(**{task.ids[0]: order.to_numpy()}), on=task.ids, how="left")[
        list(task.sample.columns)
    ]


def solve_distribution(task: Task, seed: int) -> pd.DataFrame:
    model, test = fit_classifier(task, task.train[task.label].astype(str), seed)
    probabilities = pd.DataFrame(model.predict_proba(test), columns=model.classes_)
    probabilities = probabilities.reindex(columns=task.targets, fill_value=0.0).clip(1e-4, 1)
    return probabilities.div(probabilities.sum(axis=1), axis=0)


def solve_ranking(task: Task, seed: int) -> pd.DataFrame:
    model, test = fit_classifier(task, task.train[task.label or task.targets[0]].astype(str), seed)
    guesses = len(str(task.sample[task.targets[0]].iloc[0]).split())
    best = np.argsort(-model.predict_proba(test), axis=1)[:, :guesses]
    return pd.DataFrame({task.targets[0]: [" ".join(model.classes_[row]) for row in best]})


def solve_probability(task: Task, seed: int) -> pd.DataFrame:
    model, test = fit_classifier(task, task.train[task.targets[0]], seed)
    return pd.DataFrame({task.targets[0]: model.predict_proba(test)[:, 1]})


def solve_labels(task: Task, seed: int) -> pd.DataFrame:
    model, test = fit_classifier(task, task.train[task.label or task.targets[0]], seed)
    return pd.DataFrame({task.targets[0]: model.predict(test)})


def solve_numbers(task: Task, seed: int) -> pd.DataFrame:
    features = Features.fit(task)
    train, test = features.dense(task.train), features.dense(task.test)
    filled = {}
    for target in task.targets:
        model = VotingRegressor(
            [
                ("linear", make_pipeline(StandardScaler(), RidgeCV(np.logspace(-2, 3, 12)))),
                ("trees", ExtraTreesRegressor(TREES, min_samples_leaf=3, random_state=seed)),
            ],
            weights=[2, 1],
        )
        filled[target] = model.fit(train, task.train[target]).predict(test)
    return pd.DataFrame(filled)


def fit_classifier(task: Task, labels: pd.Series, seed: int) -> tuple[Any, Any]:
    """Return a fitted classifier with probabilities, and the features of the test rows."""
    features = Features.fit(task)
    folds = int(min(3, labels.value_counts().min()))
    if features.only_texts:
        model = with_probabilities(LinearSVC(C=0.5, random_state=seed), folds)
        return model.fit(features.sparse(task.train), labels), features.sparse(task.test)
    train, test = features.dense(task.train), features.dense(task.test)
    kernel = make_pipeline(
        StandardScaler(with_std=not features.pictures),
        PCA(min(60, *train.shape), random_state=seed),
        SVC(C=10, random_state=seed),
    )
    models = {
        "linear": make_pipeline(StandardScaler(), LogisticRegression(C=0.5, max_iter=1000)),
        "trees": ExtraTreesClassifier(TREES, random_state=seed),
        "kernel": with_probabilities(kernel, folds),
    }
    if len(train) > 3000 and labels.nunique() == 2:  # a kernel is too slow, and there are enough rows for boosting
        models["kernel"] = HistGradientBoostingClassifier(max_iter=120, learning_rate=0.06, random_state=seed)
    return VotingClassifier(list(models.items()), voting="soft").fit(train, labels), test


def with_probabilities(model: Any, folds: int) -> Any:
    """Return a classifier with calibrated probabilities, or a simple one if there are too few rows."""
    if folds < 2:
        return LogisticRegression(max_iter=1000)
    return CalibratedClassifierCV(model, cv=folds, ensemble=False)


def solve_masks(task: Task, seed: int) -> pd.DataFrame:
    """Classify each pixel, and choose the threshold on held-out pictures."""
    name, target = task.ids[0], task.targets[0]
    rows = task.train.sample(frac=1, random_state=seed)
    held_out, rows = rows.iloc[:HELD_OUT], rows.iloc[HELD_OUT:]
    rng = np.random.default_rng(seed)
    chosen, labels = [], []
    for code, picture_id in zip(rows[target], rows[name], strict=True):
        picture = load_picture(task.pictures[str(picture_id)])
        mask = mask_from_runs(code, picture.shape[:2], task.mask_column_major).ravel()
        pixels = rng.choice(mask.size, min(mask.size, 1 + MASK_PIXELS // len(rows)), replace=False)
        chosen.append(pixel_features(picture)[pixels])
        labels.append(mask[pixels])
    model = HistGradientBoostingClassifier(max_iter=60, learning_rate=0.2, random_state=seed)
    model.fit(np.concatenate(chosen), np.concatenate(labels))

    known = [
        (scores, mask_from_runs(code, scores.shape, task.mask_column_major) > 0)
        for scores, code in zip(pixel_scores(model, task, held_out[name]), held_out[target], strict=True)
    ]

    def dice(threshold: float) -> float:
        shared = sum(int(((scores > threshold) & mask).sum()) for scores, mask in known)
        return 2 * shared / max(sum(int((scores > threshold).sum() + mask.sum()) for scores, mask in known), 1)

    threshold = max(np.arange(0.2, 0.8, 0.05), key=dice)
    print(f"Dice coefficient {dice(threshold):.3f} on held-out pictures at threshold {threshold:.2f}", flush=True)
    return pd.DataFrame(
        {
            target: [
                runs_from_mask((scores > threshold).astype(np.uint8), task.mask_column_major)
                for scores in pixel_scores(model, task, task.test[name])
            ]
        }
    )


def pixel_scores(model: HistGradientBoostingClassifier, task: Task, ids: pd.Series) -> list[np.ndarray]:
    """Return the probability of each pixel, for each picture."""
    pictures = [load_picture(task.pictures[str(picture_id)]) for picture_id in ids]
    scores = []
    for start in range(0, len(pictures), 50):
        part = pictures[start : start + 50]
        flat = model.predict_proba(np.concatenate([pixel_features(picture) for picture in part]))[:, 1]
        ends = np.cumsum([picture.shape[0] * picture.shape[1] for picture in part])[:-1]
        shapes = [picture.shape[:2] for picture in part]
        scores += [piece.reshape(shape) for piece, shape in zip(np.split(flat, ends), shapes, strict=True)]
    return scores
