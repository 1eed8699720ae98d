"""The two briefs of a task made of a table: complete as they are, with places to fill in what only its author knows."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Any

from mlebench.authoring.task.table import nameable
from mlebench.tasks.values import Values

if TYPE_CHECKING:
    import pandas as pd

    from mlebench.authoring.task.forms import Form
    from mlebench.authoring.task.table import OwnTable

WIDTH = 110
MOST_DESCRIBED = 30
"""Columns that get a line each; of the others the first ones are named."""
MOST_NAMED = 150
MOST_LEVELS = 6
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


def brief(
    title: str, table: OwnTable, form: Form, train: pd.DataFrame, test: pd.DataFrame, sample: pd.DataFrame
) -> str:
    """Return the brief, in Markdown."""
    opening = (
        f"{{Say here what a row of the table is, where the data come from, and what `{table.target}` means.}} "
        f"From the other columns, predict `{table.target}` for each row of the test set."
    )
    return _text(title, opening, table, form, train, test, sample)


def obfuscated_brief(table: OwnTable, form: Form, train: pd.DataFrame, test: pd.DataFrame, sample: pd.DataFrame) -> str:
    """Return the brief that names neither the task nor where its data come from."""
    opening = (
        f"Each row is one case. From the other columns, predict `{table.target}` for each row of the test set; "
        "nothing else is told of where the cases come from."
    )
    return _text("Prediction from a table", opening, table, form, train, test, sample)


def _text(
    title: str,
    opening: str,
    table: OwnTable,
    form: Form,
    train: pd.DataFrame,
    test: pd.DataFrame,
    sample: pd.DataFrame,
) -> str:
    metric = form.metric
    direction = "lower" if metric.lower_is_better else "higher"
    low, high = metric.range
    bounds = f"from {low:g} to {high:g}" if high != float("inf") else f"from {low:g} up"
    lines = [
        f"# {title}",
        "",
        *_wrapped(opening),
        "",
        "## Files",
        "",
        f"- `train.csv`: {len(train):,} rows with the answer.",
        f"- `test.csv`: {len(test):,} rows without it.",
        "- `sample_submission.csv`: a submission of the right form that says the same for every row.",
        "",
        *_wrapped("The rows were shuffled and split at random; the numbers here are those of the full data."),
        "",
        "## Columns",
        "",
        *_item(f"`{table.id_name}`: names the row."),
        *_item(f"`{table.target}`: what is to be predicted, {_described(train[table.target])}; only in `train.csv`."),
        *_columns([train[name] for name in test.columns if name != table.id_name]),
        "",
        "## Evaluation",
        "",
        *_wrapped(f"The score is {MEASURES[metric.name]}. It goes {bounds}; {direction} is better."),
        "",
        "## Submission",
        "",
        *_wrapped(f"Write a file submission.csv with a header and one row for each row of `test.csv`, {_asked(form)}:"),
        "",
        "```csv",
        *_first_rows(sample),
        "```",
        "",
        "- Each id of `test.csv` stands there exactly once; the order of rows and columns does not matter.",
        "- Further columns are ignored.",
        f"- {_refused(form)}",
        "",
        "## Worth knowing",
        "",
        "- There is one submission that counts, so estimate its score by cross-validation on `train.csv`.",
        "- The score is computed on the rows of `test.csv`, all of them, when the work is over.",
    ]
    return "\n".join(lines) + "\n"


def _asked(form: Form) -> str:
    if form.values is Values.PROBABILITIES:
        return "with the probability that the answer is 1"
    if form.one_column_a_class:
        return "with the probability of each class in a column of its name"
    return "with the predicted class" if form.values is Values.LABELS else "with the predicted number"


def _refused(form: Form) -> str:
    what = {
        Values.PROBABILITIES: "Missing cells and numbers outside of 0 to 1",
        Values.DISTRIBUTION: "Missing cells, numbers outside of 0 to 1 and rows that do not sum to 1",
        Values.LABELS: "Missing cells and labels that are no class of the training set's",
        Values.NUMBERS: "Missing cells, infinities and text",
    }[form.values]
    return f"{what} make the submission invalid."


def _first_rows(sample: pd.DataFrame) -> list[str]:
    head: str = sample.head(3).to_csv(index=False, lineterminator="\n")
    lines = head.splitlines()
    return [line if len(line) <= WIDTH else f"{line[: WIDTH - 3]}..." for line in lines]


def _columns(columns: list[pd.Series[Any]]) -> list[str]:
    named = [column for column in columns if nameable(str(column.name))]
    lines = []
    for column in named[:MOST_DESCRIBED]:
        lines += _item(f"`{column.name}`: {_described(column)}.")
    further = named[MOST_DESCRIBED:]
    if further:
        names = ", ".join(f"`{column.name}`" for column in further[:MOST_NAMED])
        lines += _item(f"further columns of the same kinds: {names}.")[:40]
    left = len(columns) - len(named[: MOST_DESCRIBED + MOST_NAMED])
    if left:
        lines.append(f"- and {left:,} more, which the header of `train.csv` names.")
    return lines


def _described(column: pd.Series[Any]) -> str:
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
    levels = sorted(map(str, known.unique())) if known.nunique() <= MOST_LEVELS else []
    if levels and all(len(level) <= 30 and nameable(level) for level in levels):
        return f"text, one of {', '.join(levels)}{missing}"
    return f"text with {known.nunique():,} different values{missing}"


def _item(text: str) -> list[str]:
    return textwrap.wrap(
        text, WIDTH, initial_indent="- ", subsequent_indent="  ", break_long_words=False, break_on_hyphens=False
    )


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, WIDTH, break_long_words=False, break_on_hyphens=False)
