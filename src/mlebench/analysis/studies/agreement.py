"""How well results on the splits here agree with results on Kaggle's own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mlebench.analysis import statistics
from mlebench.analysis.estimates import interval_or_none, nan_to_none
from mlebench.analysis.studies.record import Agreement
from mlebench.tasks.medals import Medal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike

    from mlebench.analysis.studies.record import Pair, Side

LEVELS = (None, Medal.BRONZE, Medal.SILVER, Medal.GOLD)
"""Medals in ascending order."""


def measure_agreement(pairs: Sequence[Pair]) -> Agreement | None:
    """Return statistics over the pairs with a score on both sides; None if there are none."""
    complete = [
        (pair.competition, pair.here, pair.kaggle)
        for pair in pairs
        if _has_percentile(pair.here) and _has_percentile(pair.kaggle)
    ]
    if not complete:
        return None
    names = np.array([name for name, _, _ in complete])
    here, kaggle = (
        np.array([sides[number].percentile for sides in complete], dtype=np.float64)  # type: ignore[union-attr]
        for number in (1, 2)
    )
    differences = [float((here - kaggle)[names == name].mean()) for name in np.unique(names)]
    paired = statistics.compare_paired(differences, np.zeros(len(differences)))
    correlation, interval = statistics.rank_correlation(here, kaggle)
    medals_here, medals_kaggle = (
        np.array([LEVELS.index(sides[number].medal) for sides in complete])  # type: ignore[union-attr]
        for number in (1, 2)
    )
    return Agreement(
        pairs=len(complete),
        difference=nan_to_none(paired.difference),
        interval=interval_or_none(paired.interval),
        permutation_p=paired.permutation_p if len(differences) > 1 else None,
        correlation=nan_to_none(correlation),
        correlation_interval=interval_or_none(interval),
        medals_here=int((medals_here > 0).sum()),
        medals_kaggle=int((medals_kaggle > 0).sum()),
        same_medal=100 * float((medals_here == medals_kaggle).mean()),
        kappa=nan_to_none(weighted_kappa(medals_here, medals_kaggle)),
    )


def _has_percentile(side: Side | None) -> bool:
    return side is not None and side.percentile is not None


def weighted_kappa(first: ArrayLike, second: ArrayLike) -> float:
    r"""Cohen's kappa of two ratings with quadratic weights.

    .. math:: 1 - \frac{\sum_i (a_i - b_i)^2 / n}{\sum_i \sum_j (a_i - b_j)^2 / n^2}

    Parameters
    ----------
    first, second : array-like of shape (n_pairs,)
        Ratings as whole numbers, in ascending order.

    Returns
    -------
    kappa : float
        At most 1; NaN if both ratings are constant and equal.

    References
    ----------
    J. Cohen, Weighted kappa: nominal scale agreement with provision for scaled disagreement or partial credit,
    Psychological Bulletin 70 (1968) 213-220.

    Examples
    --------
    >>> weighted_kappa([0, 1, 2, 3], [0, 1, 2, 3])
    1.0
    """
    left, right = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    observed = ((left - right) ** 2).mean()
    by_chance = ((left[:, np.newaxis] - right) ** 2).mean()
    return float(1 - observed / by_chance) if by_chance else float("nan")
