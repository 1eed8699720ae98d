"""The metrics of all tasks: pure functions on arrays, with a module for each family.

Names follow scikit-learn: higher is better for `_score`, lower for `_error` and `_loss`. `get_metric` finds a metric by
name without importing NumPy; its function is imported at the first call.
"""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mlebench.errors import UnknownNameError

if TYPE_CHECKING:
    from collections.abc import Callable

INFINITY = float("inf")
CONSTANT = "The column {column} holds one value only, so it has no correlation with the answers."


@dataclass(frozen=True, slots=True)
class Metric:
    """A metric; call it with the truth and the predictions.

    Examples
    --------
    >>> metric = get_metric("accuracy_score")
    >>> metric([0, 1, 1, 0], [0, 1, 0, 0]), metric.best
    (0.75, 1)
    """

    name: str
    lower_is_better: bool
    range: tuple[float, float]
    """Lowest and highest possible value, which may be infinite."""
    family: str | None = None
    """Module of this package with the function; None for a metric of a single task."""
    has_scale: bool = False
    """Whether the function has an argument `labels`, the scale of ordered labels."""
    sums_fractions: bool = True
    """Whether the order of rows can change the last bit of the value."""
    undefined: str = "The score of these predictions is not defined."
    """Why the value is NaN for a submission of the right form; `{column}` stands for the quoted name of its column."""

    @property
    def best(self) -> float:
        """The best possible value."""
        return self.range[0] if self.lower_is_better else self.range[1]

    @property
    def function(self) -> Callable[..., float]:
        """The function, imported now."""
        return getattr(importlib.import_module(f"{__name__}.{self.family}"), self.name)  # type: ignore[no-any-return]

    def __call__(self, y_true: Any, y_pred: Any, **options: Any) -> float:
        return float(self.function(y_true, y_pred, **options))


METRICS = {
    metric.name: metric
    for metric in (
        Metric("accuracy_score", False, (0, 1), "classification", sums_fractions=False),
        Metric("roc_auc_score", False, (0, 1), "classification", sums_fractions=False),
        Metric("average_precision_score", False, (0, 1), "classification", sums_fractions=False),
        Metric("log_loss", True, (0, INFINITY), "classification"),
        Metric("rescaled_log_loss", True, (0, INFINITY), "classification"),
        Metric("f1_macro_score", False, (0, 1), "classification", sums_fractions=False),
        Metric(
            "quadratic_weighted_kappa_score", False, (-1, 1), "classification", has_scale=True, sums_fractions=False
        ),
        Metric("matthews_correlation_score", False, (-1, 1), "classification", sums_fractions=False),
        Metric("label_set_f1_micro_score", False, (0, 1), "classification", sums_fractions=False),
        Metric("label_set_f1_micro_all_score", False, (0, 1), "classification", sums_fractions=False),
        Metric("label_set_f_samples_score", False, (0, 1), "classification"),
        Metric("exact_match_score", False, (0, 1), "text", sums_fractions=False),
        Metric("word_jaccard_score", False, (0, 1), "text"),
        Metric("text_jaccard_score", False, (0, 1), "text"),
        Metric("levenshtein_error", True, (0, INFINITY), "edits", sums_fractions=False),
        Metric("root_mean_squared_error", True, (0, INFINITY), "regression"),
        Metric("root_mean_squared_log_error", True, (0, INFINITY), "regression"),
        Metric("mean_absolute_error", True, (0, INFINITY), "regression"),
        Metric("pearson_correlation_score", False, (-1, 1), "regression", undefined=CONSTANT),
        Metric("map_at_3_score", False, (0, 1), "ranking"),
        Metric("map_at_5_score", False, (0, 1), "ranking"),
        Metric("map_at_12_score", False, (0, 1), "ranking"),
        Metric("lwlrap_score", False, (0, 1), "ranking"),
        Metric("dice_score", False, (0, 1), "segmentation", sums_fractions=False),
    )
}


def get_metric(name: str) -> Metric:
    """Return a metric by name; UnknownNameError suggests the nearest name."""
    try:
        return METRICS[name]
    except KeyError:
        raise UnknownNameError("metric", name, METRICS) from None
