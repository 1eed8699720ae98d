"""Single columns that predict the answers better than all others together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from mlebench.ground.wording import plain
from mlebench.scan.chance import MAX_P, agreement, sample_positions
from mlebench.scan.features import encode, is_long, shared_columns
from mlebench.scan.finding import Finding, NothingToScanError
from mlebench.scan.targets import as_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mlebench.scan.chance import Evidence
    from mlebench.scan.material import Material
    from mlebench.scan.targets import Target

    Array = np.ndarray[Any, np.dtype[Any]]

MIN_ALONE = 0.5
"""The smallest effect of one column that is worth a look."""
MIN_ADVANTAGE = 0.1
"""By how much the effect of one column must exceed that of a model on all others."""
MIN_PURITY = 0.98
"""Share of one answer among the items that differ from the most common value."""
MAX_ROWS = 20_000


def scan_columns(material: Material) -> Iterator[Finding]:
    """Yield columns that alone predict the answers of test items better than a model on all other columns.

    Parameters
    ----------
    material : Material
        The prepared task.
    """
    test, train = material.test, material.train
    names = [name for name in shared_columns(material) if test.table and not is_long(test.table.frame[name])]
    if len(names) < 2 or train is None or train.table is None or test.table is None or not train.targets:
        raise NothingToScanError("There are no two tables that share columns.")
    left, right = sample_positions(len(train), MAX_ROWS), sample_positions(len(test), MAX_ROWS)
    tables = [train.table.frame.iloc[left], test.table.frame.iloc[right]]
    encoded = [encode(name, tables) for name in names]
    learn, ask = (np.column_stack([columns[side] for columns in encoded]) for side in (0, 1))
    yield from _scan_pure(material, names)
    for known in train.targets:
        asked = next(target for target in test.targets if target.columns == known.columns).take(right)
        answers = known.take(left)
        alone = [_evidence(learn[:, [place]], ask[:, [place]], answers, asked) for place in range(len(names))]
        place = int(np.argmax([evidence.effect for evidence in alone]))
        if not alone[place].is_finding(len(names) * len(train.targets)):
            continue
        others = [number for number in range(len(names)) if number != place]
        rest = _evidence(learn[:, others], ask[:, others], answers, asked)
        threshold = max(MIN_ALONE, rest.effect + MIN_ADVANTAGE)
        if alone[place].effect > threshold:
            yield Finding(
                scanner="columns",
                what=f"The column {plain(names[place])} alone predicts {plain(asked.name)} better than all others.",
                number=round(alone[place].effect, 3),
                threshold=round(threshold, 3),
                file=test.table.path,
                column=names[place],
                remedy="Look at how the column came about, and leave it out if it is only known afterwards.",
                details={"p": alone[place].p, "all others": round(rest.effect, 3)},
            )


def _scan_pure(material: Material, names: list[str]) -> Iterator[Finding]:
    """Yield columns in which all items that differ from the most common value have one answer, on both sides."""
    from scipy import stats

    test, train = material.test, material.train
    if train is None or train.table is None or test.table is None:
        return
    for known in train.targets:
        asked = next(target for target in test.targets if target.columns == known.columns)
        if not known.is_class:
            continue
        answers = np.concatenate([known.values, asked.values])
        for name in names:
            cells = pd.concat([as_text(train.table.frame[name]), as_text(test.table.frame[name])], ignore_index=True)
            common = cells.mode().iloc[0]
            rare = (cells != common).to_numpy() & (answers >= 0)
            in_test = int(rare[len(known.values) :].sum())
            if not in_test or rare.sum() > 0.5 * len(rare):
                continue
            code = int(np.bincount(answers[rare]).argmax())
            right, usable = int((answers[rare] == code).sum()), answers[answers >= 0]
            p = float(stats.hypergeom.sf(right - 1, len(usable), int((usable == code).sum()), int(rare.sum())))
            if right >= MIN_PURITY * rare.sum() and p * len(names) * len(train.targets) < MAX_P:
                yield Finding(
                    scanner="columns",
                    what=f"Items have one answer of {plain(asked.name)} where {plain(name)} is not {plain(common)}.",
                    number=round(right / int(rare.sum()), 3),
                    threshold=MIN_PURITY,
                    file=test.table.path,
                    column=name,
                    remedy="Look at how the column came about, and leave it out if it is only known afterwards.",
                    details={"p": p, "test items": in_test},
                )


def _evidence(learn: Array, ask: Array, answers: Target, asked: Target) -> Evidence:
    """Return how well a tree or a small forest that learned from train rows predicts test rows."""
    from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
    from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

    known = answers.is_known
    if known.sum() < 10 or len(np.unique(answers.values[known])) < 2:
        return agreement(np.full(len(ask), -1.0 if asked.is_class else np.nan), asked)
    options: dict[str, Any] = {"min_samples_leaf": 5, "random_state": 0}
    if learn.shape[1] == 1:
        model = (DecisionTreeClassifier if asked.is_class else DecisionTreeRegressor)(max_leaf_nodes=64, **options)
    else:
        make = RandomForestClassifier if asked.is_class else RandomForestRegressor
        model = make(50, max_depth=12, n_jobs=1, **options)
    low = -1e30
    model.fit(np.clip(np.nan_to_num(learn[known], nan=low), low, -low), answers.values[known])
    return agreement(model.predict(np.clip(np.nan_to_num(ask, nan=low), low, -low)), asked)
