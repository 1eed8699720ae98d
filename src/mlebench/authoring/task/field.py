"""A leaderboard for a task that no human competed in: simple models, each as it comes, good and bad ones alike."""

from __future__ import annotations

import math
import warnings
from typing import TYPE_CHECKING, Any

from mlebench.tasks.values import Values

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    import pandas as pd

    from mlebench.authoring.task.forms import Form
    from mlebench.tasks.grader import Grader

MOST_ROWS = 20_000
"""Rows that models learn from at most: a field should take a minute, whatever the table."""
MOST_LEVELS = 20


def model_field(
    grader: Grader,
    form: Form,
    train: pd.DataFrame,
    test: pd.DataFrame,
    answers: pd.DataFrame,
    target: str,
    progress: Callable[[str], object] = lambda name: None,
) -> list[tuple[float, str]]:
    """Return the scores of fitted models on the test rows with their descriptions, best first.

    Models see the columns that test rows have, ids aside: numbers as they are, few-valued text one-hot, other
    text not at all. Those that cannot be fitted or scored are left out. `progress` is told each model's name.
    """
    id_name = answers.columns[0]
    learnt = train.sample(min(len(train), MOST_ROWS), random_state=0)
    features = [name for name in test.columns if name != id_name]
    x, x_test = _numbers(learnt[features], test[features])
    scores = []
    for model in _models(form):
        progress(_name(model))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # that a model did not converge is part of how it comes
            try:
                model.fit(x, learnt[target].to_numpy())
                predicted = _predicted(model, form, x_test, answers, target)
                score = round(grader.score(predicted, answers), 5)
            except (ValueError, ArithmeticError, TypeError):
                continue
        if math.isfinite(score):
            scores.append((score, _name(model)))
    scores.sort(key=lambda each: each[0], reverse=not form.metric.lower_is_better)
    return scores


def _predicted(model: Any, form: Form, x: Any, answers: pd.DataFrame, target: str) -> pd.DataFrame:
    ids = answers.iloc[:, :1]
    if form.values is Values.PROBABILITIES:
        return ids.assign(**{target: model.predict_proba(x)[:, list(model.classes_).index(1)]})
    if form.one_column_a_class:
        column = {str(name): place for place, name in enumerate(model.classes_)}
        probabilities = model.predict_proba(x)
        return ids.assign(**{name: probabilities[:, column[name]] if name in column else 0.0 for name in form.classes})
    predicted = model.predict(x)
    if form.metric.name == "root_mean_squared_log_error":
        predicted = predicted.clip(min=0)
    return ids.assign(**{target: predicted})


def _numbers(train: pd.DataFrame, test: pd.DataFrame) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Return both tables as arrays without gaps, made by what the training rows tell."""
    import numpy as np
    import pandas as pd

    columns: list[tuple[Any, ...]] = [(np.zeros(len(train)), np.zeros(len(test)))]  # so that there is one
    for name in train.columns:
        if pd.api.types.is_numeric_dtype(train[name]) and pd.api.types.is_numeric_dtype(test[name]):
            one, other = (part[name].astype(float).replace([np.inf, -np.inf], np.nan) for part in (train, test))
            middle = one.median()
            fill = 0.0 if math.isnan(middle) else middle
            columns.append((one.fillna(fill).to_numpy(), other.fillna(fill).to_numpy()))
        else:
            levels = train[name].dropna().astype(str).value_counts().index
            if len(levels) <= MOST_LEVELS:
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


def _name(model: Any) -> str:
    steps = [step for _, step in model.steps] if hasattr(model, "steps") else [model]
    return " > ".join(" ".join(repr(step).split()) for step in steps)
