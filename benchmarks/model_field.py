"""The model field: the models on the leaderboards of the demo competitions.

    python -m benchmarks.model_field [ID ...]

For each competition of the split `demo`, this fits a fixed grid of scikit-learn models on the prepared public data and
grades their predictions with the competition's grader. It writes two files into the competition's folder:
`leaderboard.csv` has the scores, best first, and `model_field.csv` has the scores with the models. No model is tuned on
the answers, and every model of the grid is on the leaderboard, bad ones included. All seeds are fixed; another version
of scikit-learn or another processor may change a score slightly. It takes about a minute on two cores.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
import time
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from joblib import Parallel, delayed
from PIL import Image
from scipy import ndimage
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.cluster import KMeans
from sklearn.ensemble import (
    BaggingClassifier,
    BaggingRegressor,
    ExtraTreesClassifier,
    HistGradientBoostingClassifier,
    VotingClassifier,
    VotingRegressor,
)
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import FeatureUnion, Pipeline
from sklearn.tree import DecisionTreeClassifier

from benchmarks.model_grids import (
    Models,
    digit_classifiers,
    regressors,
    scaled,
    table_classifiers,
    text_classifiers,
)
from mlebench.data import prepare
from mlebench.grading.answers import load_answers
from mlebench.tasks.registry import registry

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from mlebench.tasks.competition import Competition

Entry = tuple[str, pd.DataFrame]
"""The description of a model, and its submission."""


# From models to submissions


def describe(model: Any) -> str:
    """Return a model in one line, with the parameters that differ from scikit-learn's defaults."""
    match model:
        case Pipeline():
            return " > ".join(describe(step) for _, step in model.steps)
        case FeatureUnion():
            return " + ".join(describe(part) for _, part in model.transformer_list)
        case VotingClassifier() | VotingRegressor():
            return "mean of " + " and ".join(f"({describe(voter)})" for _, voter in model.estimators)
        case CalibratedClassifierCV():
            return f"{describe(model.estimator)} > calibration"
        case BaggingClassifier() | BaggingRegressor():
            part = f"{model.max_features:.0%} of the columns"
            return f"{model.n_estimators} times {part} > {describe(model.estimator)}"
    one_line = " ".join(repr(model).split()).removesuffix("()")
    return re.sub(r"<function (\w+) at \w+>", r"\1", one_line)


def fit_and_predict(model: Any, x: Any, y: Any, x_test: Any, method: str) -> tuple[Any, np.ndarray]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # models that have not converged are on the leaderboard too
        fitted = clone(model).fit(x, y)
        if method == "scores":
            method = "predict_proba" if hasattr(fitted, "predict_proba") else "decision_function"
        return getattr(fitted, "classes_", None), getattr(fitted, method)(x_test)


def predictions(models: Models, x: Any, y: Any, x_test: Any, method: str) -> Iterator[tuple[str, Any, np.ndarray]]:
    """Fit each model on two cores; yield its description, its classes and its predictions."""
    grid = list(models)
    jobs = (delayed(fit_and_predict)(model, x, y, x_test, method) for model in grid)
    for model, (classes, predicted) in zip(grid, Parallel(n_jobs=2, return_as="generator")(jobs), strict=True):
        yield describe(model), classes, predicted


def tables(public: Path) -> tuple[pd.DataFrame, pd.DataFrame]:
    return pd.read_csv(public / "train.csv"), pd.read_csv(public / "test.csv")


def breast_cancer(public: Path) -> Iterator[Entry]:
    train, test = tables(public)
    x, x_test = train.drop(columns=["id", "malignant"]), test.drop(columns="id")
    for name, _, probabilities in predictions(table_classifiers(), x, train["malignant"], x_test, "predict_proba"):
        yield name, test[["id"]].assign(malignant=probabilities[:, 1])


def wine(public: Path) -> Iterator[Entry]:
    train, test = tables(public)
    x, x_test = train.drop(columns=["id", "grower"]), test.drop(columns="id")
    for name, classes, probabilities in predictions(table_classifiers(), x, train["grower"], x_test, "predict_proba"):
        yield name, test[["id"]].assign(**dict(zip(classes, probabilities.T, strict=True)))


def diabetes(public: Path) -> Iterator[Entry]:
    train, test = tables(public)
    x, x_test = train.drop(columns=["id", "progression"]), test.drop(columns="id")
    for name, _, numbers in predictions(regressors(), x, train["progression"], x_test, "predict"):
        yield name, test[["id"]].assign(progression=numbers)


def digits(public: Path) -> Iterator[Entry]:
    train, test = pd.read_csv(public / "train.csv"), pd.read_csv(public / "sample_submission.csv")
    x, x_test = (
        pictures(public / part, ids["id"]).reshape(len(ids), -1) for part, ids in (("train", train), ("test", test))
    )
    for name, _, labels in predictions(digit_classifiers(), x, train["digit"], x_test, "predict"):
        yield name, test[["id"]].assign(digit=labels)


def sentences(public: Path) -> Iterator[Entry]:
    train, test = tables(public)
    for name, classes, scores in predictions(text_classifiers(), train["text"], train["label"], test["text"], "scores"):
        best = np.argsort(-scores, axis=1, kind="stable")[:, :3]
        yield name, test[["id"]].assign(labels=[" ".join(classes[row]) for row in best])


# Masks: models of single pixels, or of whole pictures


def digit_masks(public: Path) -> Iterator[Entry]:
    train, test = pd.read_csv(public / "train.csv"), pd.read_csv(public / "sample_submission.csv")
    masks = np.stack([decode(text) for text in train["rle_mask"]])
    seen, unseen = pictures(public / "train", train["id"]), pictures(public / "test", test["id"])
    jobs = (delayed(probability_maps)(make, model, seen, masks, unseen) for make, model in mask_models())
    recipes = [f"{make.__name__} of pixels > {describe(model)}" for make, model in mask_models()]
    maps = dict(zip(recipes, Parallel(n_jobs=2)(jobs), strict=True))
    maps["mean of the train masks"] = np.broadcast_to(masks.mean(axis=0), (len(test), *masks.shape[1:]))
    maps["two clusters of colours, the one less on the border"] = np.stack([two_colours(tile) for tile in unseen])
    for recipe, probabilities in maps.items():
        for blur in (0.0, 0.7):
            blurred = ndimage.gaussian_filter(probabilities, (0, blur, blur))
            for limit in (0.25, 0.35, 0.5):
                found = [encode(tile > limit) for tile in blurred]
                yield f"{recipe} > blur {blur} > above {limit}", test[["id"]].assign(rle_mask=found)


def mask_models() -> Iterator[tuple[Callable[[np.ndarray], np.ndarray], Any]]:
    logistic = scaled(LogisticRegression())
    boosting = HistGradientBoostingClassifier(max_iter=60, random_state=0)
    for make in (colour, contrast, surroundings):
        yield make, logistic
        yield make, boosting
        yield make, scaled(GaussianNB())
        yield make, DecisionTreeClassifier(max_depth=8, min_samples_leaf=20, random_state=0)
    for make in (contrast, surroundings):
        yield make, ExtraTreesClassifier(30, min_samples_leaf=5, random_state=0)
    yield surroundings, scaled(MLPClassifier((32,), max_iter=15, random_state=0))
    yield surroundings, scaled(MLPClassifier((64, 32), max_iter=20, random_state=1))
    yield surroundings, HistGradientBoostingClassifier(max_iter=200, max_leaf_nodes=63, random_state=0)


def probability_maps(
    make: Callable[[np.ndarray], np.ndarray],
    model: Any,
    seen: np.ndarray,
    masks: np.ndarray,
    unseen: np.ndarray,
) -> np.ndarray:
    """Return the probability of each pixel of the unseen pictures to be in the mask; fit on 40,000 pixels."""
    features, truth = make(seen), masks.ravel()
    chosen = np.random.RandomState(0).permutation(len(truth))[:40_000]
    _, probabilities = fit_and_predict(model, features[chosen], truth[chosen], make(unseen), "predict_proba")
    return probabilities[:, 1].reshape(unseen.shape[:3])


def colour(tiles: np.ndarray) -> np.ndarray:
    return tiles.reshape(-1, 3)


def contrast(tiles: np.ndarray) -> np.ndarray:
    """Return the colour relative to the picture's median, and the position in the picture."""
    difference = tiles - np.median(tiles, axis=(1, 2), keepdims=True)
    spread = np.abs(difference).mean(axis=(1, 2, 3), keepdims=True) + 0.01
    place = np.broadcast_to(np.moveaxis(np.indices(tiles.shape[1:3]), 0, -1), (*tiles.shape[:3], 2))
    return np.concatenate([difference, np.abs(difference) / spread, place], axis=3).reshape(-1, 8)


def surroundings(tiles: np.ndarray) -> np.ndarray:
    """Return `contrast`, and the colour relative to neighbourhoods of four sizes, with their variance."""
    parts = [contrast(tiles)]
    for size in (3, 7, 13, 25):
        mean = ndimage.uniform_filter(tiles, (0, size, size, 0), mode="nearest")
        square = ndimage.uniform_filter(tiles**2, (0, size, size, 0), mode="nearest")
        parts += [(tiles - mean).reshape(-1, 3), (square - mean**2).mean(axis=3).reshape(-1, 1)]
    return np.concatenate(parts, axis=1)


def two_colours(tile: np.ndarray) -> np.ndarray:
    height, width, _ = tile.shape
    labels = KMeans(2, n_init=1, random_state=0).fit_predict(tile.reshape(-1, 3)).reshape(height, width)
    border = np.concatenate([labels[0], labels[-1], labels[:, 0], labels[:, -1]])
    return np.asarray(labels != (border.mean() > 0.5), dtype=float)


def pictures(folder: Path, ids: Iterable[int]) -> np.ndarray:
    return np.stack([np.asarray(Image.open(folder / f"{id}.png"), dtype=float) / 255 for id in ids])


def decode(text: str, side: int = 32) -> np.ndarray:
    mask = np.zeros(side * side, dtype=bool)
    numbers = list(map(int, text.split()))
    for start, length in zip(numbers[::2], numbers[1::2], strict=True):
        mask[start - 1 : start - 1 + length] = True
    return mask.reshape(side, side)


def encode(mask: np.ndarray) -> str:
    edges = np.flatnonzero(np.diff(mask.ravel(), prepend=False, append=False)) + 1
    return " ".join(f"{start} {stop - start}" for start, stop in zip(edges[::2], edges[1::2], strict=True))


# The leaderboards

FIELDS: dict[str, Callable[[Path], Iterator[Entry]]] = {
    "demo-breast-cancer": breast_cancer,
    "demo-diabetes": diabetes,
    "demo-digit-masks": digit_masks,
    "demo-digits": digits,
    "demo-sentences": sentences,
    "demo-wine": wine,
}


def write_leaderboards(competition: Competition, field: Callable[[Path], Iterator[Entry]]) -> pd.DataFrame:
    """Grade a field of models, write the competition's two files, and return the leaderboard."""
    answers = load_answers(competition.answers)
    leaderboard = pd.DataFrame(
        [(competition.grader(submission, answers), model) for model, submission in field(competition.public_dir)],
        columns=["score", "model"],
    )
    if leaderboard["score"].isna().any():
        raise SystemExit(f"{leaderboard[leaderboard['score'].isna()].iloc[0]['model']} made an invalid submission.")
    leaderboard = leaderboard.sort_values(["score", "model"], ascending=[competition.lower_is_better, True])
    options: dict[str, Any] = {"index": False, "float_format": "%.5f", "lineterminator": "\n"}
    leaderboard[["score"]].to_csv(competition.leaderboard, **options)
    leaderboard.to_csv(competition.leaderboard.with_name("model_field.csv"), **options)
    return leaderboard


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("ids", nargs="*", metavar="ID", help=f"competitions (default: all of {', '.join(FIELDS)})")
    ids = parser.parse_args().ids or list(FIELDS)
    with tempfile.TemporaryDirectory() as data_dir:
        here = registry.set_data_dir(Path(data_dir))
        for id in ids:
            competition = here.get_competition(id)
            prepare(competition)
            start = time.monotonic()
            leaderboard = write_leaderboards(competition, FIELDS[id])
            thresholds = here.get_competition(id).standings.thresholds
            print(
                f"{id}: {len(leaderboard)} models in {time.monotonic() - start:.0f} s, {thresholds}",
                file=sys.stderr,
            )


if __name__ == "__main__":
    main()
