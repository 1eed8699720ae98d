"""Statistics of attempts and seeds: pure functions on arrays.

    means        averages, and their standard errors over seeds and over attempts
    intervals    where the truth lies, over seeds and over competitions
    attempts     what k attempts at a competition bring
    effective    how many tasks a set of tasks is worth
    correlation  whether two things go together
    paired       two agents over the same competitions

A seed is one repetition of the whole experiment. What is averaged is one number a seed (such as the percentage of
competitions with a medal), so that an error over seeds says how much a repetition would move the result; errors over
competitions say how much other competitions would.
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
