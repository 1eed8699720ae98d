"""The model field: who stands on the leaderboards of the demo competitions.

    python -m benchmarks.model_field [ID ...]

For each competition of the split `demo`, this fits a declared grid of scikit-learn models on the prepared public
data, grades what they predict with the competition's own grader, and writes two files into the competition's
folder: `leaderboard.csv` (the scores, best first) and `model_field.csv` (the same with the model that earned each).
Nothing is tuned on the answers: every model of the grid stands on the board, the bad ones too. All seeds are
fixed; another scikit-learn or processor may move a score in its last digits.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from joblib import Parallel, delayed
from PIL import Image
from scipy import ndimage
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.cluster import KMeans
from sklearn.decomposition import PCA, TruncatedSVD
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.ensemble import (
    AdaBoostClassifier,
    BaggingClassifier,
    BaggingRegressor,
    ExtraTreesClassifier,
    ExtraTreesRegressor,
    GradientBoostingClassifier,
    GradientBoostingRegressor,
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
    VotingClassifier,
    VotingRegressor,
)
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
from sklearn.feature_selection import SelectKBest
from sklearn.gaussian_process import GaussianProcessClassifier, GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, WhiteKernel
from sklearn.kernel_ridge import KernelRidge
from sklearn.linear_model import (
    BayesianRidge,
    ElasticNet,
    HuberRegressor,
    Lasso,
    LinearRegression,
    LogisticRegression,
    Ridge,
    RidgeClassifier,
    SGDClassifier,
)
from sklearn.naive_bayes import BernoulliNB, ComplementNB, GaussianNB, MultinomialNB
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor, NearestCentroid
from sklearn.neural_network import MLPClassifier, MLPRegressor
from sklearn.pipeline import make_pipeline, make_union
from sklearn.preprocessing import PolynomialFeatures, QuantileTransformer, StandardScaler
from sklearn.svm import SVC, SVR, LinearSVC
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from mlebench.competition import Competition
from mlebench.data import prepare
from mlebench.grade import load_answers
from mlebench.registry import registry

Models = Iterator[Any]
Entry = tuple[str, pd.DataFrame]
"""A model's description and its submission."""


def scaled(*steps: Any) -> Any:
    return make_pipeline(StandardScaler(), *steps)


def calibrated(model: Any) -> Any:
    """Give probabilities to a model that has none."""
    return CalibratedClassifierCV(model, ensemble=False)


# The grids


def classifiers() -> Models:
    """From guessing to ensembles: 105 classifiers with probabilities for a small table of numbers."""
    yield DummyClassifier(strategy="prior")
    yield DummyClassifier(strategy="uniform", random_state=0)
    yield DummyClassifier(strategy="stratified", random_state=0)
    for smoothing in (1e-9, 1e-2, 1.0):
        yield scaled(GaussianNB(var_smoothing=smoothing))
    for shrinkage in (None, "auto", 0.9):
        yield scaled(LinearDiscriminantAnalysis(solver="lsqr", shrinkage=shrinkage))
    for share in (0.1, 0.5, 0.9):
        yield scaled(QuadraticDiscriminantAnalysis(reg_param=share))
    for c in (0.001, 0.01, 0.1, 1.0, 10.0, 100.0):
        yield scaled(LogisticRegression(C=c, max_iter=2000))
    for c in (0.01, 0.1, 1.0):
        yield make_pipeline(QuantileTransformer(n_quantiles=50), LogisticRegression(C=c, max_iter=2000))
        yield scaled(SelectKBest(k=4), LogisticRegression(C=c, max_iter=2000))
        yield scaled(PCA(3), LogisticRegression(C=c, max_iter=2000))
    for neighbours in (1, 3, 7, 15, 30, 60):
        for weights in ("uniform", "distance"):
            yield scaled(KNeighborsClassifier(neighbours, weights=weights))
    for depth in (1, 2, 3, 5, None):
        for leaf in (1, 10):
            yield DecisionTreeClassifier(max_depth=depth, min_samples_leaf=leaf, random_state=0)
    for forest in (RandomForestClassifier, ExtraTreesClassifier):
        for trees, leaf, seed in [(10, 1, 0), (10, 5, 0), (100, 1, 0), (100, 1, 1), (100, 3, 0), (100, 8, 0)]:
            yield forest(trees, min_samples_leaf=leaf, random_state=seed)
    for rate, trees, depth in [(0.3, 10, 1), (0.1, 50, 1), (0.1, 50, 2), (0.1, 100, 3), (0.05, 50, 3), (0.3, 100, 3)]:
        yield GradientBoostingClassifier(
            learning_rate=rate, n_estimators=trees, max_depth=depth, subsample=0.7, random_state=0
        )
    for rate, rounds, leaves in [(0.1, 20, 5), (0.1, 60, 15), (0.03, 60, 8), (0.3, 40, 31)]:
        yield HistGradientBoostingClassifier(learning_rate=rate, max_iter=rounds, max_leaf_nodes=leaves, random_state=0)
    for trees in (10, 50, 150):
        yield AdaBoostClassifier(n_estimators=trees, random_state=0)
    for c in (0.03, 0.3, 1.0, 3.0, 30.0):
        yield calibrated(scaled(SVC(C=c)))
    for degree in (2, 3):
        yield calibrated(scaled(SVC(kernel="poly", degree=degree, coef0=1.0)))
    for c in (0.01, 1.0):
        yield calibrated(scaled(LinearSVC(C=c)))
    for layers, decay, seed in [((16,), 1e-4, 0), ((16,), 1.0, 0), ((64,), 0.1, 0), ((64,), 0.1, 1), ((64,), 10.0, 0)]:
        yield scaled(MLPClassifier(layers, alpha=decay, max_iter=300, random_state=seed))
    for share in (0.3, 0.8):
        yield BaggingClassifier(scaled(LogisticRegression()), 20, max_features=share, random_state=0)
    yield scaled(SGDClassifier(loss="log_loss", random_state=0))
    yield scaled(SGDClassifier(loss="log_loss", alpha=0.1, random_state=0))
    linear, svm = scaled(LogisticRegression()), calibrated(scaled(SVC()))
    forest = ExtraTreesClassifier(100, min_samples_leaf=2, random_state=0)
    yield VotingClassifier([("linear", linear), ("svm", svm)], voting="soft")
    yield VotingClassifier([("linear", linear), ("forest", forest)], voting="soft")
    yield VotingClassifier([("svm", svm), ("forest", forest)], voting="soft")
    yield VotingClassifier([("linear", linear), ("svm", svm), ("forest", forest)], voting="soft")


def table_classifiers() -> Models:
    """What only a handful of columns and rows allows, besides all the others."""
    yield from classifiers()
    for c in (0.001, 0.01, 0.1, 1.0):
        yield scaled(PolynomialFeatures(2), StandardScaler(), LogisticRegression(C=c, max_iter=5000))
    for length in (1.0, 3.0, 10.0):
        yield scaled(GaussianProcessClassifier(RBF(length), optimizer=None))


def regressors() -> Models:
    """113 models of a number."""
    for strategy in ("mean", "median"):
        yield DummyRegressor(strategy=strategy)
    yield DummyRegressor(strategy="quantile", quantile=0.25)
    yield scaled(LinearRegression())
    yield scaled(BayesianRidge())
    for alpha in (0.1, 1.0, 10.0, 30.0, 100.0, 300.0, 1000.0):
        yield scaled(Ridge(alpha))
    for alpha in (0.1, 1.0, 3.0, 10.0, 20.0):
        yield scaled(Lasso(alpha))
    for alpha in (0.03, 0.1, 0.3, 1.0, 3.0):
        yield scaled(ElasticNet(alpha))
    for epsilon in (1.1, 1.5):
        yield scaled(HuberRegressor(epsilon=epsilon))
    for columns in (1, 2, 4):
        yield scaled(SelectKBest(score_func=correlation, k=columns), LinearRegression())
        yield scaled(PCA(columns), LinearRegression())
    for alpha in (1.0, 30.0, 100.0, 300.0, 1000.0):
        yield scaled(PolynomialFeatures(2), StandardScaler(), Ridge(alpha))
    for neighbours in (1, 3, 7, 15, 30, 60):
        for weights in ("uniform", "distance"):
            yield scaled(KNeighborsRegressor(neighbours, weights=weights))
    for depth in (1, 2, 3, 5, None):
        for leaf in (1, 10):
            yield DecisionTreeRegressor(max_depth=depth, min_samples_leaf=leaf, random_state=0)
    for forest in (RandomForestRegressor, ExtraTreesRegressor):
        for trees, leaf, seed in [(10, 1, 0), (10, 5, 0), (100, 1, 0), (100, 1, 1), (100, 3, 0), (100, 8, 0), (100, 20, 0)]:
            yield forest(trees, min_samples_leaf=leaf, max_features=0.5, random_state=seed)
    for rate, trees, depth in [(0.3, 10, 1), (0.1, 50, 1), (0.1, 50, 2), (0.1, 100, 3), (0.05, 60, 3), (0.3, 100, 3)]:
        yield GradientBoostingRegressor(
            learning_rate=rate, n_estimators=trees, max_depth=depth, subsample=0.7, random_state=0
        )
    for rate, rounds, leaves in [(0.1, 20, 5), (0.1, 60, 15), (0.03, 60, 8), (0.3, 60, 31)]:
        yield HistGradientBoostingRegressor(learning_rate=rate, max_iter=rounds, max_leaf_nodes=leaves, random_state=0)
    for c in (1.0, 10.0, 30.0, 100.0, 1000.0):
        yield scaled(SVR(C=c))
        yield scaled(SVR(C=c, gamma=0.01))
    for gamma in (0.001, 0.01, 0.1):
        yield scaled(KernelRidge(alpha=1.0, kernel="rbf", gamma=gamma))
    for length in (3.0, 10.0):
        yield scaled(GaussianProcessRegressor(RBF(length) + WhiteKernel(0.5), optimizer=None, normalize_y=True))
    for layers, decay, seed in [((16,), 1.0, 0), ((16,), 1.0, 1), ((64,), 10.0, 0), ((32, 32), 10.0, 0)]:
        yield scaled(MLPRegressor(hidden_layer_sizes=layers, alpha=decay, max_iter=400, learning_rate_init=0.01, random_state=seed))
    for share in (0.3, 0.8):
        yield BaggingRegressor(scaled(Ridge(10.0)), 30, max_features=share, random_state=0)
    linear, svm = scaled(Ridge(30.0)), scaled(SVR(C=30.0, gamma=0.01))
    forest = ExtraTreesRegressor(100, min_samples_leaf=5, random_state=0)
    yield VotingRegressor([("linear", linear), ("svm", svm)])
    yield VotingRegressor([("linear", linear), ("forest", forest)])
    yield VotingRegressor([("svm", svm), ("forest", forest)])
    yield VotingRegressor([("linear", linear), ("svm", svm), ("forest", forest)])


def correlation(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    return np.abs((x - x.mean(0)).T @ (y - y.mean()))


def text_classifiers() -> Models:
    """Four ways to turn text into numbers, with 28 classifiers each, and the most frequent answer."""
    words = TfidfVectorizer(sublinear_tf=True)
    letters = TfidfVectorizer(analyzer="char_wb", ngram_range=(2, 5), sublinear_tf=True)
    yield make_pipeline(CountVectorizer(), DummyClassifier())
    for turn in (
        CountVectorizer(binary=True),
        words,
        letters,
        make_union(TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True), letters),
    ):
        for smoothing in (0.01, 0.1, 0.3, 1.0):
            yield make_pipeline(turn, MultinomialNB(alpha=smoothing))
            yield make_pipeline(turn, ComplementNB(alpha=smoothing))
        for smoothing in (0.01, 0.1):
            yield make_pipeline(turn, BernoulliNB(alpha=smoothing))
        for c in (0.1, 1.0, 10.0, 100.0):
            yield make_pipeline(turn, LogisticRegression(C=c, max_iter=500))
        for c in (0.03, 0.3, 3.0):
            yield make_pipeline(turn, LinearSVC(C=c))
        for alpha in (0.3, 3.0):
            yield make_pipeline(turn, RidgeClassifier(alpha))
        for neighbours in (1, 5, 15):
            yield make_pipeline(turn, KNeighborsClassifier(neighbours, metric="cosine", weights="distance"))
        for size in (20, 80):
            yield make_pipeline(turn, TruncatedSVD(size, random_state=0), LogisticRegression(C=100.0, max_iter=500))
        for forest in (RandomForestClassifier, ExtraTreesClassifier):
            yield make_pipeline(turn, forest(100, random_state=0))
        for depth in (3, None):
            yield make_pipeline(turn, DecisionTreeClassifier(max_depth=depth, random_state=0))


# From models to submissions


def describe(model: Any) -> str:
    """Return a model's recipe in one line: what differs from scikit-learn's defaults."""
    steps = [step for _, step in model.steps] if hasattr(model, "steps") else [model]
    return " > ".join(" ".join(repr(step).split()) for step in steps)


def fit_and_predict(model: Any, x: Any, y: Any, x_test: Any, method: str) -> tuple[Any, np.ndarray]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # models that have not converged stand on the board as they are
        fitted = clone(model).fit(x, y)
        if method == "scores":
            method = "predict_proba" if hasattr(fitted, "predict_proba") else "decision_function"
        return getattr(fitted, "classes_", None), getattr(fitted, method)(x_test)


def predictions(models: Models, x: Any, y: Any, x_test: Any, method: str) -> Iterator[tuple[str, Any, np.ndarray]]:
    """Fit each model on two cores; yields its description, its classes and what it predicts."""
    grid = list(models)
    jobs = (delayed(fit_and_predict)(model, x, y, x_test, method) for model in grid)
    for model, (classes, predicted) in zip(grid, Parallel(n_jobs=2, return_as="generator")(jobs), strict=True):
        yield describe(model), classes, predicted


def tables(public: Path) -> tuple[pd.DataFrame, pd.DataFrame]:
    return pd.read_csv(public / "train.csv"), pd.read_csv(public / "test.csv")


def breast_cancer(public: Path) -> Iterator[Entry]:
    train, test = tables(public)
    x, x_test = train.drop(columns=["id", "malignant"]), test.drop(columns="id")
    for name, _, chances in predictions(table_classifiers(), x, train["malignant"], x_test, "predict_proba"):
        yield name, test[["id"]].assign(malignant=chances[:, 1])


def wine(public: Path) -> Iterator[Entry]:
    train, test = tables(public)
    x, x_test = train.drop(columns=["id", "grower"]), test.drop(columns="id")
    for name, classes, chances in predictions(table_classifiers(), x, train["grower"], x_test, "predict_proba"):
        yield name, test[["id"]].assign(**dict(zip(classes, chances.T, strict=True)))


def diabetes(public: Path) -> Iterator[Entry]:
    train, test = tables(public)
    x, x_test = train.drop(columns=["id", "progression"]), test.drop(columns="id")
    for name, _, numbers in predictions(regressors(), x, train["progression"], x_test, "predict"):
        yield name, test[["id"]].assign(progression=numbers)


def digits(public: Path) -> Iterator[Entry]:
    train, test = pd.read_csv(public / "train.csv"), pd.read_csv(public / "sample_submission.csv")
    x, x_test = (pictures(public / part, ids["id"]).reshape(len(ids), -1) for part, ids in (("train", train), ("test", test)))
    for name, _, labels in predictions(digit_classifiers(), x, train["digit"], x_test, "predict"):
        yield name, test[["id"]].assign(digit=labels)


def digit_classifiers() -> Models:
    yield from classifiers()
    for size in (5, 10, 20, 40):
        yield make_pipeline(PCA(size, random_state=0), SVC(C=3.0))
        yield make_pipeline(PCA(size, random_state=0), KNeighborsClassifier(3))
    for gamma in (0.3, 1.0, 3.0):
        yield SVC(C=10.0, gamma=gamma / 64 / 0.14)
    yield NearestCentroid()


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
    jobs = (delayed(chance_maps)(make, model, seen, masks, unseen) for make, model in mask_models())
    recipes = [f"{make.__name__} pixels > {describe(model)}" for make, model in mask_models()]
    maps = dict(zip(recipes, Parallel(n_jobs=2)(jobs), strict=True))
    maps["mean of the train masks"] = np.broadcast_to(masks.mean(axis=0), (len(test), *masks.shape[1:]))
    maps["two clusters of colours, the one less on the border"] = np.stack([two_colours(tile) for tile in unseen])
    for recipe, chances in maps.items():
        for blur in (0.0, 0.7):
            blurred = ndimage.gaussian_filter(chances, (0, blur, blur))
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


def chance_maps(
    make: Callable[[np.ndarray], np.ndarray], model: Any, seen: np.ndarray, masks: np.ndarray, unseen: np.ndarray
) -> np.ndarray:
    """Return for each pixel of the unseen pictures the chance that it is painted, learnt from 40,000 pixels."""
    features, truth = make(seen), masks.ravel()
    chosen = np.random.RandomState(0).permutation(len(truth))[:40_000]
    _, chances = fit_and_predict(model, features[chosen], truth[chosen], make(unseen), "predict_proba")
    return chances[:, 1].reshape(unseen.shape[:3])


def colour(tiles: np.ndarray) -> np.ndarray:
    return tiles.reshape(-1, 3)


def contrast(tiles: np.ndarray) -> np.ndarray:
    """Colour against the picture's median, and the place in the picture."""
    difference = tiles - np.median(tiles, axis=(1, 2), keepdims=True)
    spread = np.abs(difference).mean(axis=(1, 2, 3), keepdims=True) + 0.01
    place = np.broadcast_to(np.moveaxis(np.indices(tiles.shape[1:3]), 0, -1), (*tiles.shape[:3], 2))
    return np.concatenate([difference, np.abs(difference) / spread, place], axis=3).reshape(-1, 8)


def surroundings(tiles: np.ndarray) -> np.ndarray:
    """The same, with the colour against that of the neighbourhood at four sizes, and its roughness."""
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
    return (labels != (border.mean() > 0.5)).astype(float)


def pictures(folder: Path, ids: Sequence[int]) -> np.ndarray:
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


# The boards

FIELDS: dict[str, Callable[[Path], Iterator[Entry]]] = {
    "demo-breast-cancer": breast_cancer,
    "demo-diabetes": diabetes,
    "demo-digit-masks": digit_masks,
    "demo-digits": digits,
    "demo-sentences": sentences,
    "demo-wine": wine,
}


def write_boards(competition: Competition, field: Callable[[Path], Iterator[Entry]]) -> pd.DataFrame:
    """Grade a field of models and write the competition's two files; returns the board."""
    answers = load_answers(competition.answers)
    board = pd.DataFrame(
        [(competition.grader(submission, answers), model) for model, submission in field(competition.public_dir)],
        columns=["score", "model"],
    )
    if board["score"].isna().any():
        raise SystemExit(f"{board[board['score'].isna()].iloc[0]['model']} made an invalid submission.")
    board = board.sort_values(["score", "model"], ascending=[competition.lower_is_better, True])
    options: dict[str, Any] = {"index": False, "float_format": "%.5f", "lineterminator": "\n"}
    board[["score"]].to_csv(competition.leaderboard, **options)
    board.to_csv(competition.leaderboard.with_name("model_field.csv"), **options)
    return board


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("ids", nargs="*", metavar="ID", help=f"competitions (default: all of {', '.join(FIELDS)})")
    ids = parser.parse_args().ids or list(FIELDS)
    with tempfile.TemporaryDirectory() as data_dir:
        here = registry.set_data_dir(Path(data_dir))
        for id in ids:
            competition = here.get_competition(id)
            prepare(competition)
            began = time.monotonic()
            board = write_boards(competition, FIELDS[id])
            thresholds = here.get_competition(id).standings.thresholds
            print(f"{id}: {len(board)} models in {time.monotonic() - began:.0f} s, {thresholds}", file=sys.stderr)


if __name__ == "__main__":
    main()
