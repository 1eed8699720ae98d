"""What is asked of a target column under a metric: the form of a submission, and what the sample says."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mlebench.errors import RawDataError, UnknownNameError, UsageError
from mlebench.metrics import METRICS, Metric
from mlebench.tasks.values import Values

if TYPE_CHECKING:
    import pandas as pd

    from mlebench.authoring.task.table import OwnTable

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
MOST_CLASSES = 200


@dataclass(frozen=True)
class Form:
    """How a target is predicted."""

    metric: Metric
    values: Values
    classes: tuple[Any, ...] = ()
    """The classes of a target that has some, sorted."""

    @property
    def one_column_a_class(self) -> bool:
        """Whether the submission has a column for each class rather than the target's own."""
        return self.values is Values.DISTRIBUTION


def metric_named(name: str) -> Metric:
    """Return a metric by its name or a short one, if it fits a single column to predict."""
    full = SHORT_NAMES.get(name.lower(), name)
    if full not in METRICS:
        raise UnknownNameError("metric", name, [*SHORT_NAMES, *METRICS])
    if full not in PROBABILITIES + LABELS + NUMBERS:
        fitting = ", ".join(SHORT_NAMES)
        raise UsageError(
            f"The metric {full!r} needs another form than a column to predict; take one of {fitting}, "
            "or write the task by hand as docs/competitions.md says."
        )
    return METRICS[full]


def form_of(table: OwnTable, metric: Metric) -> Form:
    """Return the form of a submission; RawDataError where the target does not fit the metric."""
    import pandas as pd

    target = table.rows[table.target]
    what = f"The target {table.target!r} of {table.path.name}"
    numeric = pd.api.types.is_numeric_dtype(target)
    if metric.name in NUMBERS:
        if not numeric or pd.api.types.is_bool_dtype(target):
            example = _example_of_text(target)
            raise RawDataError(f"{what} must hold numbers for {metric.name}, but it holds text such as {example!r}.")
        if not ((target > -float("inf")) & (target < float("inf"))).all():
            raise RawDataError(f"{what} holds infinite numbers; leave those rows out.")
        if metric.name == "root_mean_squared_log_error" and (target < 0).any():
            raise RawDataError(f"{what} holds negative numbers, which {metric.name} has no value for.")
        return Form(metric, Values.NUMBERS)
    classes = tuple(sorted(target.unique().tolist()))
    if metric.name in PROBABILITIES and numeric and set(classes) == {0, 1}:
        return Form(metric, Values.PROBABILITIES, (0, 1))
    if metric.name in PROBABILITIES and metric.name != "log_loss":
        shown = ", ".join(repr(each)[:40] for each in classes[:4])
        raise RawDataError(f"{what} must be 0 or 1 in each row for {metric.name}, but it holds {shown}.")
    if numeric and not pd.api.types.is_bool_dtype(target) and (target % 1 != 0).any():
        raise RawDataError(f"{what} holds fractions, so it is no class; take a metric for numbers: rmse, mae.")
    if len(classes) > min(MOST_CLASSES, len(target) // 2):
        raise RawDataError(
            f"{what} has {len(classes):,} different values in {len(target):,} rows, too many for classes "
            f"(at most {MOST_CLASSES}, two rows each); is it the right column?"
        )
    if any(isinstance(each, str) and (each.strip() != each or not each.isprintable()) for each in classes):
        raise RawDataError(f"{what} has classes with blanks around them or signs that cannot be printed; clean them.")
    if metric.name == "log_loss":
        if table.id_name in map(str, classes):
            raise RawDataError(f"{what} has the class {table.id_name!r}, the name of the ids; rename one of them.")
        return Form(metric, Values.DISTRIBUTION, tuple(map(str, classes)))
    return Form(metric, Values.LABELS, classes)


def _example_of_text(target: pd.Series[Any]) -> str:
    import pandas as pd

    text = target[pd.to_numeric(target, errors="coerce").isna()]
    return str((text if len(text) else target).iloc[0])[:40]
