"""From a task to predictions: features of its rows, texts and pictures, and an estimator for each kind of task."""

import numpy as np
import pandas as pd
from features import Features, load_picture, pixel_features
from sklearn.decomposition import PCA
from sklearn.ensemble import ExtraTreesClassifier, ExtraTreesRegressor, HistGradientBoostingClassifier
from sklearn.ensemble import VotingClassifier, VotingRegressor
from sklearn.linear_model import LogisticRegression, RidgeCV
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from task import Task, mask_from_runs, runs_from_mask

TREES = 200
MASK_PIXELS = 150_000
"""How many pixels the mask model learns from."""


def solve(task: Task, seed: int) -> pd.DataFrame:
    """Return a filled submission."""
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


def fit_classifier(task: Task, labels: pd.Series, seed: int) -> tuple[object, object]:
    """Return a fitted classifier with probabilities, and the features of the test rows."""
    features = Features.fit(task)
    if features.texts and not features.pictures and not features.numbers:
        model = LogisticRegression(C=20, max_iter=1000)
        return model.fit(features.sparse(task.train), labels), features.sparse(task.test)
    train, test = features.dense(task.train), features.dense(task.test)
    candidates = {
        "linear": make_pipeline(StandardScaler(), LogisticRegression(C=0.5, max_iter=2000)),
        "trees": ExtraTreesClassifier(TREES, random_state=seed),
        "kernel": make_pipeline(
            StandardScaler(with_std=not features.pictures),
            PCA(min(60, *train.shape), random_state=seed),
            SVC(C=10, probability=True, random_state=seed),
        ),
    }
    if len(train) > 1500 and labels.nunique() <= 3:
        candidates["kernel"] = HistGradientBoostingClassifier(max_iter=120, learning_rate=0.06, random_state=seed)
    folds = 3 if labels.value_counts().min() >= 3 else 0
    weights = [
        max(cross_val_score(model, train, labels, cv=folds).mean(), 0.01) ** 8 if folds else 1.0
        for model in candidates.values()
    ]
    print("Weights of the models:", dict(zip(candidates, np.round(weights, 3), strict=True)), flush=True)
    vote = VotingClassifier(list(candidates.items()), voting="soft", weights=weights)
    return vote.fit(train, labels), test


def solve_masks(task: Task, seed: int) -> pd.DataFrame:
    """Classify every pixel from its surroundings, then keep the pixels above the best threshold."""
    rng = np.random.default_rng(seed)
    name, target = task.ids[0], task.targets[0]
    rows = task.train.sample(frac=1, random_state=seed)
    held_out = rows.iloc[: len(rows) // 5]
    chosen, labels, budget = [], [], MASK_PIXELS
    for code, picture_id in zip(rows[target].iloc[len(held_out) :], rows[name].iloc[len(held_out) :], strict=True):
        picture = load_picture(task.pictures[str(picture_id)])
        mask = mask_from_runs(code, picture.shape[:2], task.mask_column_major).ravel()
        pixels = rng.choice(mask.size, min(mask.size, 1 + MASK_PIXELS // len(rows)), replace=False)
        chosen.append(pixel_features(picture)[pixels])
        labels.append(mask[pixels])
        budget -= len(pixels)
        if budget <= 0:
            break
    model = HistGradientBoostingClassifier(max_iter=80, learning_rate=0.15, random_state=seed)
    model.fit(np.concatenate(chosen), np.concatenate(labels))

    def probability(picture_id: object) -> np.ndarray:
        picture = load_picture(task.pictures[str(picture_id)])
        return model.predict_proba(pixel_features(picture))[:, 1].reshape(picture.shape[:2])

    known = [(probability(row[name]), row[target]) for _, row in held_out.head(60).iterrows()]
    masks = [mask_from_runs(code, scores.shape, task.mask_column_major) for scores, code in known]

    def dice(threshold: float) -> float:
        shared = sum(int(((scores > threshold) & (mask > 0)).sum()) for (scores, _), mask in zip(known, masks, strict=True))
        total = sum(int((scores > threshold).sum() + mask.sum()) for (scores, _), mask in zip(known, masks, strict=True))
        return 2 * shared / max(total, 1)

    threshold = max(np.arange(0.2, 0.8, 0.05), key=dice)
    print(f"Dice coefficient {dice(threshold):.3f} on held-out pictures at threshold {threshold:.2f}", flush=True)
    codes = [
        runs_from_mask((probability(picture_id) > threshold).astype(np.uint8), task.mask_column_major)
        for picture_id in task.test[name]
    ]
    return pd.DataFrame({target: codes})
