"""A leaderboard for a task without human competitors: simple models with default settings, good and bad ones."""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mlebench.tasks.values import Values

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    import pandas as pd

    from mlebench.authoring.task.form import Form
    from mlebench.authoring.task.parts import Parts
    from mlebench.tasks.grader import Grader

MAX_ROWS = 20_000
"""Training rows per model, so that fitting all models takes about a minute."""
MAX_LEVELS = 20
"""A text column with at most this many different values becomes one-hot columns; others are left out."""


@dataclass(frozen=True)
class ModelScore:
    """The score of a fitted model on the test rows."""

    score: float
    model: str
    """The model's description, as scikit-learn prints it."""


def score_models(
    grader: Grader,
    form: Form,
    parts: Parts,
    target: str,
    progress: Callable[[str], object] = lambda name: None,
) -> list[ModelScore]:
    """Fit simple models and return their scores on the test rows, best first.

    Models see the columns of the test rows except the ids: numbers as they are, and text with few values one-hot.
    Models that cannot be fitted or scored are left out.

    Parameters
    ----------
    grader : Grader
        The task's grader.
    form : Form
        The form of a submission.
    parts : Parts
        The task's tables.
    target : str
        The column to predict.
    progress : callable, optional
        Called with the description of each model before it is fitted.
    """
    id_name = parts.answers.columns[0]
    train = parts.train.sample(min(len(parts.train), MAX_ROWS), random_state=0)
    features = [name for name in parts.test.columns if name != id_name]
    x, x_test = _encode(train[features], parts.test[features])
    scores = []
    for model in _models(form):
        progress(_describe(model))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # models with default settings may not converge
            try:
                model.fit(x, train[target].to_numpy())
                submission = _predict(model, form, x_test, parts.answers, target)
                score = round(grader.score(submission, parts.answers), 5)
            except (ValueError, ArithmeticError, TypeError):
                continue
        if math.isfinite(score):
            scores.append(ModelScore(score, _describe(model)))
    return sorted(scores, key=lambda row: row.score, reverse=not form.metric.lower_is_better)


def _predict(model: Any, form: Form, x: Any, answers: pd.DataFrame, target: str) -> pd.DataFrame:
    """Return a submission with the model's predictions."""
    ids = answers.iloc[:, :1]
    if form.values is Values.PROBABILITIES:
        return ids.assign(**{target: model.predict_proba(x)[:, list(model.classes_).index(1)]})
    if form.has_column_per_class:
        column = {str(name): position for position, name in enumerate(model.classes_)}
        probabilities = model.predict_proba(x)
        return ids.assign(**{name: probabilities[:, column[name]] if name in column else 0.0 for name in form.classes})
    predicted = model.predict(x)
    if form.metric.name == "root_mean_squared_log_error":
        predicted = predicted.clip(min=0)
    return ids.assign(**{target: predicted})


def _encode(train: pd.DataFrame, test: pd.DataFrame) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Return both tables as arrays of shape (rows, features) without missing values, fitted on the training rows."""
    import numpy as np
    import pandas as pd

    columns: list[tuple[Any, ...]] = [(np.zeros(len(train)), np.zeros(len(test)))]  # models need at least one
    for name in train.columns:
        if pd.api.types.is_numeric_dtype(train[name]) and pd.api.types.is_numeric_dtype(test[name]):
            one, other = (part[name].astype(float).replace([np.inf, -np.inf], np.nan) for part in (train, test))
            median = one.median()
            fill = 0.0 if math.isnan(median) else median
            columns.append((one.fillna(fill).to_numpy(), other.fillna(fill).to_numpy()))
        else:
            levels = train[name].dropna().astype(str).value_counts().index
            if len(levels) <= MAX_LEVELS:
                cells = [part[name].astype(str) for part in (train, test)]
                columns += [tuple((part == level).to_numpy(float) for part in cells) for level in levels]
    return np.column_stack([one for one, _ in columns]), np.column_stack([other for _, other in columns])


def _models(form: Form) -> list[Any]:
    from sklearn import ensemble, linear_model, naive_bayes, neighbors, tree
    from sklearn.dummy import DummyClassifier, DummyRegressor
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    seed = {"random_state": 0}
    if form.values is Values.NUMBERS:
        return [
            DummyRegressor(),
            DummyRegressor(strategy="median"),
            make_pipeline(StandardScaler(), linear_model.Ridge()),
            make_pipeline(StandardScaler(), linear_model.Ridge(alpha=100.0)),
            make_pipeline(StandardScaler(), neighbors.KNeighborsRegressor(15)),
            make_pipeline(StandardScaler(), neighbors.KNeighborsRegressor(3)),
            tree.DecisionTreeRegressor(max_depth=3, **seed),
            tree.DecisionTreeRegressor(**seed),
            ensemble.RandomForestRegressor(**seed),
            ensemble.ExtraTreesRegressor(**seed),
            ensemble.GradientBoostingRegressor(subsample=0.7, **seed),
            ensemble.HistGradientBoostingRegressor(max_iter=60, **seed),
        ]
    return [
        DummyClassifier(),
        DummyClassifier(strategy="stratified", **seed),
        make_pipeline(StandardScaler(), linear_model.LogisticRegression(max_iter=500)),
        make_pipeline(StandardScaler(), linear_model.LogisticRegression(C=0.01, max_iter=500)),
        make_pipeline(StandardScaler(), neighbors.KNeighborsClassifier(15)),
        make_pipeline(StandardScaler(), neighbors.KNeighborsClassifier(3)),
        make_pipeline(StandardScaler(), naive_bayes.GaussianNB()),
        tree.DecisionTreeClassifier(max_depth=3, **seed),
        tree.DecisionTreeClassifier(**seed),
        ensemble.RandomForestClassifier(**seed),
        ensemble.ExtraTreesClassifier(**seed),
        ensemble.HistGradientBoostingClassifier(max_iter=60, **seed),
    ]


def _describe(model: Any) -> str:
    steps = [step for _, step in model.steps] if hasattr(model, "steps") else [model]
    return " > ".join(" ".join(repr(step).split()) for step in steps)
