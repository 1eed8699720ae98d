"""Two agents compared over the same competitions."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from mlebench.analysis.statistics.intervals import LEVEL, Interval, t_interval
from mlebench.analysis.statistics.means import mean, standard_error

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

POWER = 0.8
SIGN_FLIPS = 20_000
MAX_EXACT = 14
"""Number of non-zero differences up to which all sign changes are tried, instead of a sample."""


@dataclass(frozen=True, slots=True)
class PairedDifference:
    """The difference of two agents; numbers are NaN if there are too few competitions."""

    competitions: int
    better: int
    """Competitions in which the first agent has more."""
    worse: int
    difference: float
    interval: Interval
    sign_p: float
    permutation_p: float
    detectable: float
    """The smallest true difference that a study of this size finds with a power of 80 %."""


def compare_paired(first: ArrayLike, second: ArrayLike) -> PairedDifference:
    """Compare two agents over the same competitions.

    Parameters
    ----------
    first, second : array-like of shape (n_competitions,)
        The agents' means over seeds in each competition, in any unit; more is better.

    Returns
    -------
    comparison : PairedDifference
        The mean of first minus second; its Student's t interval, with the competitions as a sample; the two-sided
        sign and permutation tests; and the detectable difference at a level of 5 % and a power of 80 %, which is 2.8
        standard errors for many competitions.

    Examples
    --------
    >>> compare_paired([1.0, 0.5, 1.0, 0.0], [0.0, 0.5, 0.5, 0.0]).difference
    0.375
    """
    differences = np.asarray(first, dtype=np.float64) - np.asarray(second, dtype=np.float64)
    error = standard_error(differences)
    return PairedDifference(
        competitions=differences.size,
        better=int((differences > 0).sum()),
        worse=int((differences < 0).sum()),
        difference=mean(differences),
        interval=t_interval(differences),
        sign_p=sign_test(differences),
        permutation_p=permutation_test(differences),
        detectable=_detectable(error, differences.size - 1) if error >= 0 else float("nan"),
    )


def sign_test(differences: ArrayLike) -> float:
    """Two-sided sign test of paired differences.

    Parameters
    ----------
    differences : array-like of shape (n_competitions,)
        In any unit; zeros are left out.

    Returns
    -------
    p : float
        Exact, in [0, 1]; 1 if all differences are 0.

    Examples
    --------
    >>> sign_test([1, 1, 1, 1, 1, 0])
    0.0625
    """
    from scipy.special import bdtr

    array = np.asarray(differences, dtype=np.float64)
    better, worse = int((array > 0).sum()), int((array < 0).sum())
    return min(1.0, 2 * float(bdtr(min(better, worse), better + worse, 0.5)))


def permutation_test(differences: ArrayLike) -> float:
    """Two-sided permutation test of paired differences, by random sign changes.

    Parameters
    ----------
    differences : array-like of shape (n_competitions,)
        In any unit.

    Returns
    -------
    p : float
        Share of sign changes with a mean at least as far from 0. Exact for up to 14 non-zero differences; for more,
        from 20,000 sign changes that are always the same.

    Examples
    --------
    >>> permutation_test([1, 1, 1, 1, 1, 0])
    0.0625
    """
    array = np.asarray(differences, dtype=np.float64)
    array = array[array != 0]
    if not array.size:
        return 1.0
    if array.size <= MAX_EXACT:
        flips = 1.0 - 2 * ((np.arange(2**array.size)[:, np.newaxis] >> np.arange(array.size)) & 1)
    else:
        # One table serves many sizes, since making it takes far longer than using it.
        flips = _flips(1 << (array.size - 1).bit_length())[:, : array.size]
    sums = np.abs(flips @ array)
    return float((sums >= abs(array.sum()) * (1 - 1e-12)).mean())


@functools.lru_cache(maxsize=8)
def _flips(size: int) -> NDArray[np.float64]:
    flips = np.array(1 - 2 * np.random.default_rng(0).integers(0, 2, size=(SIGN_FLIPS, size)), dtype=np.float64)
    flips[0] = 1  # the observed signs belong to the possible ones
    return flips


def _detectable(error: float, freedom: int) -> float:
    from scipy.special import stdtrit

    return float(error * (stdtrit(freedom, (1 + LEVEL) / 2) + stdtrit(freedom, POWER)))
