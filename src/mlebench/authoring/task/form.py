"""The form of a submission: what is predicted for a target column under a metric."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mlebench.errors import RawDataError, UnknownNameError, UsageError
from mlebench.metrics import METRICS, Metric
from mlebench.tasks.values import Values

if TYPE_CHECKING:
    import pandas as pd

    from mlebench.authoring.task.table import Table

SHORT_NAMES = {
    "accuracy": "accuracy_score",
    "ap": "average_precision_score",
    "auc": "roc_auc_score",
    "f1": "f1_macro_score",
    "logloss": "log_loss",
    "mae": "mean_absolute_error",
    "mcc": "matthews_correlation_score",
    "pearson": "pearson_correlation_score",
    "qwk": "quadratic_weighted_kappa_score",
    "rmse": "root_mean_squared_error",
    "rmsle": "root_mean_squared_log_error",
}
PROBABILITIES = ("roc_auc_score", "average_precision_score", "log_loss")
LABELS = ("accuracy_score", "f1_macro_score", "matthews_correlation_score", "quadratic_weighted_kappa_score")
NUMBERS = (
    "root_mean_squared_error",
    "root_mean_squared_log_error",
    "mean_absolute_error",
    "pearson_correlation_score",
)
MAX_CLASSES = 200


@dataclass(frozen=True)
class Form:
    """The metric, the kind of predicted values, and the classes of a task."""

    metric: Metric
    values: Values
    classes: tuple[Any, ...] = ()
    """The sorted classes; empty where numbers are predicted."""

    @property
    def has_column_per_class(self) -> bool:
        """Whether the submission has a column for each class instead of the target column."""
        return self.values is Values.DISTRIBUTION


def find_metric(name: str) -> Metric:
    """Return a metric for a single target column by its full or short name.

    Raises
    ------
    UnknownNameError
        There is no such metric.
    UsageError
        The metric needs another form of submission.
    """
    full = SHORT_NAMES.get(name.lower(), name)
    if full not in METRICS:
        raise UnknownNameError("metric", name, [*SHORT_NAMES, *METRICS])
    if full not in PROBABILITIES + LABELS + NUMBERS:
        raise UsageError(
            f"The metric {full!r} needs another form of submission than a column of predictions; use one of "
            f"{', '.join(SHORT_NAMES)}, or write the task by hand as docs/competitions.md shows."
        )
    return METRICS[full]


def choose_form(table: Table, metric: Metric) -> Form:
    """Return the form of a submission; RawDataError if the target does not fit the metric."""
    import pandas as pd

    target = table.rows[table.target]
    what = f"The target {table.target!r} of {table.path.name}"
    is_numeric = pd.api.types.is_numeric_dtype(target)
    if metric.name in NUMBERS:
        if not is_numeric or pd.api.types.is_bool_dtype(target):
            example = _example_of_text(target)
            raise RawDataError(f"{what} must hold numbers for {metric.name}, but it holds text such as {example!r}.")
        if not ((target > -float("inf")) & (target < float("inf"))).all():
            raise RawDataError(f"{what} holds infinite numbers; remove those rows.")
        if metric.name == "root_mean_squared_log_error" and (target < 0).any():
            raise RawDataError(f"{what} holds negative numbers, for which {metric.name} is not defined.")
        return Form(metric, Values.NUMBERS)
    classes = tuple(sorted(target.unique().tolist()))
    if metric.name in PROBABILITIES and is_numeric and set(classes) == {0, 1}:
        return Form(metric, Values.PROBABILITIES, (0, 1))
    if metric.name in PROBABILITIES and metric.name != "log_loss":
        shown = ", ".join(repr(value)[:40] for value in classes[:4])
        raise RawDataError(f"{what} must be 0 or 1 in each row for {metric.name}, but it holds {shown}.")
    if is_numeric and not pd.api.types.is_bool_dtype(target) and (target % 1 != 0).any():
        raise RawDataError(f"{what} holds fractions, so it is not a class; use a metric for numbers: rmse, mae.")
    if len(classes) > min(MAX_CLASSES, len(target) // 2):
        raise RawDataError(
            f"{what} has {len(classes):,} different values in {len(target):,} rows, too many for classes "
            f"(at most {MAX_CLASSES}, two rows each); is it the right column?"
        )
    if any(isinstance(value, str) and (value.strip() != value or not value.isprintable()) for value in classes):
        raise RawDataError(f"{what} has classes with outer blanks or unprintable characters; clean them.")
    if metric.name == "log_loss":
        if table.id_name in map(str, classes):
            raise RawDataError(f"{what} has a class named {table.id_name!r} like the id column; rename one of them.")
        return Form(metric, Values.DISTRIBUTION, tuple(map(str, classes)))
    return Form(metric, Values.LABELS, classes)


def _example_of_text(target: pd.Series[Any]) -> str:
    import pandas as pd

    text = target[pd.to_numeric(target, errors="coerce").isna()]
    return str((text if len(text) else target).iloc[0])[:40]
