"""Effective sizes of a set of tasks."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mlebench.analysis.statistics.intervals import LEVEL, Interval

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

MIN_AGENTS = 5
"""Number of agents that an estimate of the spread of their totals needs."""
_NOTHING = (float("nan"), (float("nan"), float("nan")))


def telling_tasks(rates: ArrayLike) -> float:
    r"""Number of equally informative tasks in which successes would vary as much as in the given ones.

    .. math:: \left(\sum_t v_t\right)^2 \Big/ \sum_t v_t^2, \quad v_t = p_t (1 - p_t)

    A task at which every attempt succeeds, or none, adds no information: leaving it out changes no difference.

    Parameters
    ----------
    rates : array-like of shape (n_tasks,)
        Share of successful attempts at each task, in [0, 1].

    Returns
    -------
    number : float
        From 1 to the number of tasks; 0 if no task varies.

    References
    ----------
    L. Kish, Survey Sampling, 1965, section 11.7: the effective size of a sample with unequal weights, here with each
    task's variance as its weight.

    Examples
    --------
    >>> telling_tasks([0.5, 0.5, 0.0, 1.0])
    2.0
    """
    shares = np.asarray(rates, dtype=np.float64)
    variances = shares * (1 - shares)
    total = variances.sum()
    return float(total**2 / (variances**2).sum()) if total > 0 else 0.0


def independent_tasks(rates: ArrayLike, noise: ArrayLike, level: float = LEVEL) -> tuple[float, Interval]:
    r"""Number of independent tasks over which agents' means would spread as much as over the given ones.

    .. math:: \frac{\frac{1}{T} \sum_t (s_t^2 - w_t)}{s^2 - \frac{1}{T^2} \sum_t w_t}

    Here :math:`s_t^2` is the variance over agents of their rates in task t, :math:`s^2` that of their means over
    tasks, and :math:`w_t` what seeds add to :math:`s_t^2`. For tasks with equal variances it is
    :math:`T / (1 + (T - 1) \bar\rho)` with the mean correlation of two tasks: T if tasks are uncorrelated, 1 if they
    are perfectly correlated. With few agents the interval is wide, since :math:`s^2` is a variance of one number per
    agent: the interval is that of such a variance, from the chi-squared distribution.

    Parameters
    ----------
    rates : array-like of shape (n_agents, n_tasks)
        Share of an agent's successful attempts at a task, in [0, 1].
    noise : array-like of shape (n_agents, n_tasks)
        Unbiased variance of each rate over seeds: :math:`p (1 - p) / (n - 1)` for n seeds.
    level : float
        Share of such intervals that contain the true number, if agents are a sample with nearly normal means.

    Returns
    -------
    number : float
        From 1 to the number of tasks; NaN for fewer than five agents or two tasks, and if agents differ no more than
        seeds do.
    interval : tuple of float
        Low and high, with the same bounds.

    References
    ----------
    L. Kish, Survey Sampling, 1965, section 5.4: the effect of a design with correlated units.

    Examples
    --------
    Three tasks, of which two are perfectly correlated:

    >>> skill = np.array([0.0, 1.0, 0.0, 1.0, 0.5])
    >>> other = np.array([0.0, 0.0, 1.0, 1.0, 0.5])
    >>> number, (low, high) = independent_tasks(np.stack([skill, skill, other], axis=1), np.zeros((5, 3)))
    >>> round(number, 2), round(low, 2), round(high, 2)
    (1.8, 1.0, 3.0)
    """
    from scipy.special import chdtri

    values, within = np.asarray(rates, dtype=np.float64), np.asarray(noise, dtype=np.float64)
    if values.ndim != 2 or values.shape != within.shape:
        raise ValueError(f"rates and noise must have one shape (n_agents, n_tasks): {values.shape}, {within.shape}")
    agents, tasks = values.shape
    if agents < MIN_AGENTS or tasks < 2:
        return _NOTHING
    by_seeds = within.mean(axis=0)
    apart = (values.var(axis=0, ddof=1) - by_seeds).mean()
    together = values.mean(axis=1).var(ddof=1) - by_seeds.sum() / tasks**2
    if not (apart > 0 and together > 0):
        return _NOTHING
    freedom = agents - 1
    ends = (chdtri(freedom, (1 + level) / 2) / freedom, chdtri(freedom, (1 - level) / 2) / freedom)
    number, low, high = np.clip([apart / together * factor for factor in (1.0, *ends)], 1, tasks).tolist()
    return number, (low, high)
