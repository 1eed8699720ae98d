"""The grids of the model field: weak and strong models, none of them tuned on the answers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sklearn.calibration import CalibratedClassifierCV
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
from sklearn.feature_selection import SelectKBest, f_regression
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

Models = Iterator[Any]


def scaled(*steps: Any) -> Any:
    return make_pipeline(StandardScaler(), *steps)


def calibrated(model: Any) -> Any:
    """Return a model with probabilities, made from one without."""
    return CalibratedClassifierCV(model, ensemble=False)


def classifiers() -> Models:
    """Yield classifiers with probabilities for tables of numbers, from guessing to ensembles."""
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
    for ensemble in (RandomForestClassifier, ExtraTreesClassifier):
        for trees, leaf, seed in [(10, 1, 0), (10, 5, 0), (100, 1, 0), (100, 1, 1), (100, 3, 0), (100, 8, 0)]:
            yield ensemble(trees, min_samples_leaf=leaf, random_state=seed)
    for rate, trees, depth in [
        (0.3, 10, 1),
        (0.1, 50, 1),
        (0.1, 50, 2),
        (0.1, 100, 3),
        (0.05, 50, 3),
        (0.3, 100, 3),
    ]:
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
    for layers, decay, seed in [
        ((16,), 1e-4, 0),
        ((16,), 1.0, 0),
        ((64,), 0.1, 0),
        ((64,), 0.1, 1),
        ((64,), 10.0, 0),
    ]:
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
    """Yield `classifiers`, and others that suit only a few columns and rows."""
    yield from classifiers()
    for c in (0.001, 0.01, 0.1, 1.0):
        yield scaled(PolynomialFeatures(2), StandardScaler(), LogisticRegression(C=c, max_iter=5000))
    for length in (1.0, 3.0, 10.0):
        yield scaled(GaussianProcessClassifier(RBF(length), optimizer=None))


def regressors() -> Models:
    """Yield regressors for tables of numbers, from guessing to ensembles."""
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
        yield scaled(SelectKBest(score_func=f_regression, k=columns), LinearRegression())
        yield scaled(PCA(columns), LinearRegression())
    for alpha in (1.0, 30.0, 100.0, 300.0, 1000.0):
        yield scaled(PolynomialFeatures(2), StandardScaler(), Ridge(alpha))
    for neighbours in (1, 3, 7, 15, 30, 60):
        for weights in ("uniform", "distance"):
            yield scaled(KNeighborsRegressor(neighbours, weights=weights))
    for depth in (1, 2, 3, 5, None):
        for leaf in (1, 10):
            yield DecisionTreeRegressor(max_depth=depth, min_samples_leaf=leaf, random_state=0)
    for ensemble in (RandomForestRegressor, ExtraTreesRegressor):
        for trees, leaf, seed in [
            (10, 1, 0),
            (10, 5, 0),
            (100, 1, 0),
            (100, 1, 1),
            (100, 3, 0),
            (100, 8, 0),
            (100, 20, 0),
        ]:
            yield ensemble(trees, min_samples_leaf=leaf, max_features=0.5, random_state=seed)
    for rate, trees, depth in [
        (0.3, 10, 1),
        (0.1, 50, 1),
        (0.1, 50, 2),
        (0.1, 100, 3),
        (0.05, 60, 3),
        (0.3, 100, 3),
    ]:
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
        yield scaled(
            MLPRegressor(
                hidden_layer_sizes=layers,
                alpha=decay,
                max_iter=400,
                learning_rate_init=0.01,
                random_state=seed,
            )
        )
    for share in (0.3, 0.8):
        yield BaggingRegressor(scaled(Ridge(10.0)), 30, max_features=share, random_state=0)
    linear, svm = scaled(Ridge(30.0)), scaled(SVR(C=30.0, gamma=0.01))
    forest = ExtraTreesRegressor(100, min_samples_leaf=5, random_state=0)
    yield VotingRegressor([("linear", linear), ("svm", svm)])
    yield VotingRegressor([("linear", linear), ("forest", forest)])
    yield VotingRegressor([("svm", svm), ("forest", forest)])
    yield VotingRegressor([("linear", linear), ("svm", svm), ("forest", forest)])


def text_classifiers() -> Models:
    """Yield the same classifiers on four ways to represent text as numbers."""
    word_counts = TfidfVectorizer(sublinear_tf=True)
    character_counts = TfidfVectorizer(analyzer="char_wb", ngram_range=(2, 5), sublinear_tf=True)
    yield make_pipeline(CountVectorizer(), DummyClassifier())
    for vectorizer in (
        CountVectorizer(binary=True),
        word_counts,
        character_counts,
        make_union(TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True), character_counts),
    ):
        for smoothing in (0.01, 0.1, 0.3, 1.0):
            yield make_pipeline(vectorizer, MultinomialNB(alpha=smoothing))
            yield make_pipeline(vectorizer, ComplementNB(alpha=smoothing))
        for smoothing in (0.01, 0.1):
            yield make_pipeline(vectorizer, BernoulliNB(alpha=smoothing))
        for c in (0.1, 1.0, 10.0, 100.0):
            yield make_pipeline(vectorizer, LogisticRegression(C=c, max_iter=500))
        for c in (0.03, 0.3, 3.0):
            yield make_pipeline(vectorizer, LinearSVC(C=c))
        for alpha in (0.3, 3.0):
            yield make_pipeline(vectorizer, RidgeClassifier(alpha))
        for neighbours in (1, 5, 15):
            yield make_pipeline(vectorizer, KNeighborsClassifier(neighbours, metric="cosine", weights="distance"))
        for size in (20, 80):
            yield make_pipeline(
                vectorizer, TruncatedSVD(size, random_state=0), LogisticRegression(C=100.0, max_iter=500)
            )
        for ensemble in (RandomForestClassifier, ExtraTreesClassifier):
            yield make_pipeline(vectorizer, ensemble(100, random_state=0))
        for depth in (3, None):
            yield make_pipeline(vectorizer, DecisionTreeClassifier(max_depth=depth, random_state=0))


def digit_classifiers() -> Models:
    """Yield `classifiers`, and others that suit many columns of the same scale."""
    yield from classifiers()
    for size in (5, 10, 20, 40):
        yield make_pipeline(PCA(size, random_state=0), SVC(C=3.0))
        yield make_pipeline(PCA(size, random_state=0), KNeighborsClassifier(3))
    for gamma in (0.3, 1.0, 3.0):
        yield SVC(C=10.0, gamma=gamma / 64 / 0.14)
    yield NearestCentroid()
