"""Statistics that compare a number with what chance gives, by permutations with fixed seeds."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from mlebench.scan.targets import Target

    Array = np.ndarray[Any, np.dtype[Any]]

PERMUTATIONS = 200
MAX_P = 0.001
"""Findings have a smaller p-value, after Bonferroni's correction for the number of comparisons of a scanner."""
MIN_EFFECT = 0.1
"""Findings have a larger effect, where 0 is chance and 1 is certainty."""
MAX_ITEMS = 20_000
"""Items that a statistic uses; more are sampled."""
MIN_OF_CLASS = 3
"""Items of a class that a statistic needs; rarer classes are left out."""
MIN_ITEMS = 8
"""With fewer items, no statistic is computed."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """A statistic beside its distribution under permuted answers."""

    effect: float
    """The part of the way from chance (0) to certainty (1)."""
    p: float
    value: float
    """The statistic: a squared correlation, or a share of equal pairs."""
    chance: float
    """Its mean under permutations."""

    def is_finding(self, comparisons: int = 1) -> bool:
        """Return whether the effect is large, and improbable by chance, given the number of comparisons."""
        return self.effect > MIN_EFFECT and self.p * comparisons < MAX_P


NOTHING = Evidence(0.0, 1.0, 0.0, 0.0)


def sample_positions(size: int, limit: int = MAX_ITEMS) -> Array:
    """Return all positions, or a sorted random sample of `limit`; always the same for a size."""
    if size <= limit:
        return np.arange(size)
    return np.sort(np.random.default_rng(0).choice(size, limit, replace=False))


def rank_association(feature: Array, target: Target) -> Evidence:
    """Compare the ranks of a feature with a target: squared correlation of ranks, or correlation ratio for classes.

    Parameters
    ----------
    feature : array of shape (n_items,)
        Numbers; NaN counts as the smallest.
    target : Target
        Answers of the same items.
    """
    x, y, is_class = _paired(feature, target)
    if len(x) < MIN_ITEMS or x.min() == x.max() or y.min() == y.max():
        return NOTHING
    x = _ranks(x)
    x = (x - x.mean()) / x.std()
    if is_class:
        sizes = np.bincount(y)

        def statistic(labels: Array) -> float:
            sums = np.bincount(labels, weights=x, minlength=len(sizes))
            return float(np.sum(sums**2 / np.maximum(sizes, 1)) / len(x))
    else:
        y = _ranks(y)
        y = (y - y.mean()) / y.std()

        def statistic(labels: Array) -> float:
            return float(np.mean(x * labels) ** 2)

    return _compare(statistic, y, _min_p(y, is_class), is_bounded=True)


def neighbour_association(order: Array, target: Target) -> Evidence:
    """Compare neighbours in an order: the share with equal class, or the correlation of ranks of the next number.

    Parameters
    ----------
    order : array of shape (n_items,)
        Numbers that give the order; items with equal numbers are in random order.
    target : Target
        Answers of the same items.
    """
    x, y, is_class = _paired(order, target)
    if len(x) < MIN_ITEMS or y.min() == y.max() or x.min() == x.max():
        return NOTHING
    noise = np.random.default_rng(1).random(len(x))
    y = y[np.lexsort((noise, x))]
    if is_class:

        def statistic(labels: Array) -> float:
            return float(np.mean(labels[1:] == labels[:-1]))
    else:
        y = _ranks(y)
        y = (y - y.mean()) / y.std()

        def statistic(labels: Array) -> float:
            return float(np.mean(labels[1:] * labels[:-1]))

    return _compare(statistic, y, _min_p(y, is_class))


def agreement(guesses: Array, target: Target) -> Evidence:
    """Compare guesses with answers: the share of equal classes, or the squared correlation of numbers.

    Parameters
    ----------
    guesses : array of shape (n_items,)
        Codes of classes, with -1 for none, or numbers, with NaN for none.
    target : Target
        Answers of the same items.
    """
    known = guesses >= 0 if target.is_class else np.isfinite(guesses)
    if known.sum() < MIN_ITEMS:
        return NOTHING
    chosen = target.take(np.flatnonzero(known))
    guesses = guesses[known]
    x, y, is_class = _paired(guesses, chosen)
    if len(y) < MIN_ITEMS or y.min() == y.max():
        return NOTHING
    if not is_class:
        return rank_association(guesses, chosen)

    def statistic(labels: Array) -> float:
        return float(np.mean(labels == x))

    return _compare(statistic, y, _min_p(y, True))


def tree_association(features: Array, target: Target) -> Evidence:
    """Predict a target from features by a small tree in three folds: the share of right classes, or R².

    Parameters
    ----------
    features : array of shape (n_items, n_features)
        Numbers; NaN is a value of its own.
    target : Target
        Answers of the same items.
    """
    from sklearn.model_selection import KFold
    from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

    places = sample_positions(len(features), 1000)
    x, y, is_class = np.nan_to_num(features[places], nan=-1e30), target.values[places], target.is_class
    known = target.take(places).is_known
    if is_class and known.any():
        known &= np.bincount(y[known])[np.maximum(y, 0)] >= MIN_OF_CLASS
    x, y = x[known], y[known]
    if len(y) < 3 * MIN_ITEMS or y.min() == y.max() or (x == x[:1]).all():
        return NOTHING
    x = np.column_stack([_ranks(column) for column in x.T])
    folds = list(KFold(3, shuffle=True, random_state=0).split(x))
    make = DecisionTreeClassifier if is_class else DecisionTreeRegressor

    def statistic(labels: Array) -> float:
        told = np.empty(len(labels))
        for learn, test in folds:
            tree = make(max_depth=3, min_samples_leaf=5, random_state=0)
            told[test] = tree.fit(x[learn], labels[learn]).predict(x[test])
        if is_class:
            return float(np.mean(told == labels))
        return float(1 - np.mean((told - labels) ** 2) / np.var(labels))

    if not is_class:
        y = _ranks(y)
    return _compare(statistic, y, _min_p(y, is_class))


def _compare(statistic: Callable[[Array], float], y: Array, min_p: float, *, is_bounded: bool = False) -> Evidence:
    """Return a statistic beside its values for permuted labels.

    200 permutations resolve no p-value below 0.005, so the tail is that of a distribution with their mean and variance:
    beta for statistics in [0, 1] that are small by chance, else normal.
    """
    from scipy import stats

    rng = np.random.default_rng(2)
    drawn = np.array([statistic(rng.permutation(y)) for _ in range(PERMUTATIONS)])
    value, mean, spread = statistic(y), float(drawn.mean()), float(drawn.std(ddof=1))
    if spread == 0:
        return Evidence(0.0, 1.0, value, mean)
    common = mean * (1 - mean) / spread**2 - 1
    if is_bounded and 0 < mean < 1 and common > 0:
        p = float(stats.beta.sf(value, mean * common, (1 - mean) * common))
    else:
        p = float(stats.norm.sf(value, mean, spread))
    effect = max(0.0, value - mean) / (1 - mean) if mean < 1 else 0.0
    return Evidence(effect**0.5 if is_bounded else effect, max(p, min_p), value, mean)


def _paired(feature: Array, target: Target) -> tuple[Array, Array, bool]:
    places = sample_positions(len(feature))
    x, y = np.nan_to_num(np.asarray(feature, float)[places], nan=-1e300), target.values[places]
    known = y >= 0 if target.is_class else np.isfinite(y)
    if target.is_class and known.any():
        known &= np.bincount(y[known])[np.maximum(y, 0)] >= MIN_OF_CLASS
    return x[known], y[known], target.is_class


def _ranks(values: Array) -> Array:
    from scipy import stats

    return np.asarray(stats.rankdata(values), float)


@functools.lru_cache(maxsize=32)
def _log_factorials(size: int) -> Array:
    return np.concatenate([[0.0], np.cumsum(np.log(np.arange(1, size + 1)))])


def _min_p(y: Array, is_class: bool) -> float:
    """Return one over the number of different orders of the answers: no permutation test can be surer."""
    logs = _log_factorials(len(y))
    same = np.bincount(y.astype(int)) if is_class else np.unique(y, return_counts=True)[1]
    return float(np.exp(-min(700.0, logs[len(y)] - logs[same].sum())))
