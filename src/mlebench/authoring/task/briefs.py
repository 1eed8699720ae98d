"""The two briefs of a task made from a table: complete, with braces around what only the author knows."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Any

from mlebench.authoring.task.table import is_nameable
from mlebench.tasks.values import Values

if TYPE_CHECKING:
    import pandas as pd

    from mlebench.authoring.task.form import Form
    from mlebench.authoring.task.parts import Parts
    from mlebench.authoring.task.table import Table

WIDTH = 110
MAX_DESCRIBED = 30
"""Columns with a line each; the brief only names the next ones, and only counts the rest."""
MAX_NAMED = 150
MAX_LEVELS = 6
"""A text column with at most this many different values is described by them."""
MEASURES = {
    "accuracy_score": "the share of rows whose class is right",
    "average_precision_score": "the average precision: the area under the steps of the precision-recall curve",
    "f1_macro_score": "the F1 score of each class (the harmonic mean of precision and recall), averaged over classes",
    "log_loss": "the mean negative natural logarithm of the probability given to the true class",
    "matthews_correlation_score": "the Matthews correlation of predicted and true classes",
    "mean_absolute_error": "the mean of the absolute differences between prediction and truth",
    "pearson_correlation_score": "the Pearson correlation of prediction and truth",
    "quadratic_weighted_kappa_score": "the quadratic weighted kappa of predicted and true classes",
    "roc_auc_score": "the area under the ROC curve; only the order of the predictions counts",
    "root_mean_squared_error": "the root of the mean squared difference between prediction and truth",
    "root_mean_squared_log_error": "the root of the mean squared difference of log(1 + prediction) and log(1 + truth)",
}


def write_brief(title: str, table: Table, form: Form, parts: Parts) -> str:
    """Return the brief, in Markdown.

    Parameters
    ----------
    title : str
        Title of the competition.
    table : Table
        The table that the task is made from.
    form : Form
        The form of a submission.
    parts : Parts
        The prepared tables.
    """
    opening = (
        f"{{Say here what a row of the table is, where the data come from, and what `{table.target}` means.}} "
        f"From the other columns, predict `{table.target}` for each row of the test set."
    )
    return _write(title, opening, table, form, parts)


def write_obfuscated_brief(table: Table, form: Form, parts: Parts) -> str:
    """Return the brief that names neither the task nor the source of its data, in Markdown."""
    opening = (
        f"Each row is one case. From the other columns, predict `{table.target}` for each row of the test set. "
        "The source of the cases is not given."
    )
    return _write("Prediction from a table", opening, table, form, parts)


def _write(title: str, opening: str, table: Table, form: Form, parts: Parts) -> str:
    metric = form.metric
    direction = "lower" if metric.lower_is_better else "higher"
    low, high = metric.range
    bounds = f"ranges from {low:g} to {high:g}" if high != float("inf") else f"is at least {low:g}"
    lines = [
        f"# {title}",
        "",
        *_wrap(opening),
        "",
        "## Files",
        "",
        f"- `train.csv`: {len(parts.train):,} rows with the answer.",
        f"- `test.csv`: {len(parts.test):,} rows without it.",
        "- `sample_submission.csv`: a submission of the right form, with the same prediction in every row.",
        "",
        *_wrap("The rows were shuffled and split at random. The numbers on this page are those of the full data."),
        "",
        "## Columns",
        "",
        *_bullet(f"`{table.id_name}`: the id of the row."),
        *_bullet(f"`{table.target}`: the target, {_describe(parts.train[table.target])}; only in `train.csv`."),
        *_describe_columns([parts.train[name] for name in parts.test.columns if name != table.id_name]),
        "",
        "## Evaluation",
        "",
        *_wrap(f"The score is {MEASURES[metric.name]}. It {bounds}; {direction} is better."),
        "",
        "## Submission",
        "",
        *_wrap(
            f"Write a file submission.csv with a header and one row for each row of `test.csv`, {_prediction(form)}:"
        ),
        "",
        "```csv",
        *_first_rows(parts.sample),
        "```",
        "",
        "- Each id of `test.csv` occurs exactly once. The order of rows and columns does not matter.",
        "- Other columns are ignored.",
        f"- {_refusals(form)}",
        "",
        "## Worth knowing",
        "",
        "- Only one submission counts, so estimate its score by cross-validation on `train.csv`.",
        "- The score is computed on all rows of `test.csv`, after the end of the run.",
    ]
    return "\n".join(lines) + "\n"


def _prediction(form: Form) -> str:
    if form.values is Values.PROBABILITIES:
        return "with the probability that the answer is 1"
    if form.has_column_per_class:
        return "with the probability of each class, in a column with the name of the class"
    return "with the predicted class" if form.values is Values.LABELS else "with the predicted number"


def _refusals(form: Form) -> str:
    what = {
        Values.PROBABILITIES: "Missing cells and numbers below 0 or above 1",
        Values.DISTRIBUTION: "Missing cells, numbers below 0 or above 1, and rows that do not sum to 1",
        Values.LABELS: "Missing cells and labels that are not in the training set",
        Values.NUMBERS: "Missing cells, infinities and text",
    }[form.values]
    return f"{what} make the submission invalid."


def _first_rows(sample: pd.DataFrame) -> list[str]:
    head: str = sample.head(3).to_csv(index=False, lineterminator="\n")
    lines = head.splitlines()
    return [line if len(line) <= WIDTH else f"{line[: WIDTH - 3]}..." for line in lines]


def _describe_columns(columns: list[pd.Series[Any]]) -> list[str]:
    named = [column for column in columns if is_nameable(str(column.name))]
    lines = []
    for column in named[:MAX_DESCRIBED]:
        lines += _bullet(f"`{column.name}`: {_describe(column)}.")
    further = named[MAX_DESCRIBED:]
    if further:
        names = ", ".join(f"`{column.name}`" for column in further[:MAX_NAMED])
        lines += _bullet(f"more columns of the same kinds: {names}.")[:40]
    rest = len(columns) - len(named[: MAX_DESCRIBED + MAX_NAMED])
    if rest:
        lines.append(f"- and {rest:,} more; see the header of `train.csv`.")
    return lines


def _describe(column: pd.Series[Any]) -> str:
    import pandas as pd

    known = column.dropna()
    missing = f", missing in {1 - len(known) / len(column):.0%} of the rows" if len(known) < len(column) else ""
    if known.empty:
        return "always missing"
    if pd.api.types.is_bool_dtype(known) or set(map(str, known.unique()[:3])) <= {"True", "False"}:
        return f"True or False{missing}"
    if pd.api.types.is_numeric_dtype(known):
        kind = "a whole number" if (known % 1 == 0).all() else "a number"
        return f"{kind} from {known.min():.6g} to {known.max():.6g}{missing}"
    levels = sorted(map(str, known.unique())) if known.nunique() <= MAX_LEVELS else []
    if levels and all(len(level) <= 30 and is_nameable(level) for level in levels):
        return f"text, one of {', '.join(levels)}{missing}"
    return f"text with {known.nunique():,} different values{missing}"


def _bullet(text: str) -> list[str]:
    return textwrap.wrap(
        text, WIDTH, initial_indent="- ", subsequent_indent="  ", break_long_words=False, break_on_hyphens=False
    )


def _wrap(text: str) -> list[str]:
    return textwrap.wrap(text, WIDTH, break_long_words=False, break_on_hyphens=False)
