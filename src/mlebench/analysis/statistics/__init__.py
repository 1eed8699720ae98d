"""Statistics of attempts and seeds: pure functions on arrays.

    means        means with standard errors over seeds and over attempts
    intervals    confidence intervals over seeds and over competitions
    attempts     the best of k attempts
    effective    effective sizes of a set of tasks
    correlation  rank correlation
    paired       two agents over the same competitions

A seed is one repetition of the whole experiment. Each seed has one number, such as the percentage of competitions with
a medal. An error over seeds says how much a repetition would change the mean; an error over competitions says how much
other competitions would.
"""

from mlebench.analysis.statistics.attempts import best_of_k, pass_at_k
from mlebench.analysis.statistics.correlation import rank_correlation
from mlebench.analysis.statistics.effective import MIN_AGENTS, independent_tasks, telling_tasks
from mlebench.analysis.statistics.intervals import clustered_intervals, t_band, t_interval
from mlebench.analysis.statistics.means import mean, pooled_standard_error, standard_error
from mlebench.analysis.statistics.paired import PairedDifference, compare_paired, permutation_test, sign_test

__all__ = [
    "MIN_AGENTS",
    "PairedDifference",
    "best_of_k",
    "clustered_intervals",
    "compare_paired",
    "independent_tasks",
    "mean",
    "pass_at_k",
    "permutation_test",
    "pooled_standard_error",
    "rank_correlation",
    "sign_test",
    "standard_error",
    "t_band",
    "t_interval",
    "telling_tasks",
]
