"""Whether a model can tell train items from test items: another time, place or source."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from mlebench.ground.wording import join_names
from mlebench.scan.chance import MAX_P, sample_positions
from mlebench.scan.features import encode, shared_columns
from mlebench.scan.finding import Finding, NothingToScanError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mlebench.scan.material import Material

    Array = np.ndarray[Any, np.dtype[Any]]

MAX_AUC = 0.6
MAX_ROWS = 5_000
MIN_GROUPS = 10
MAX_NAMED = 5
"""Columns that a finding names: those that tell most alone."""


def scan_origin(material: Material) -> Iterator[Finding]:
    """Yield a finding if shared columns, or the sizes of files, tell train from test items.

    Parameters
    ----------
    material : Material
        The prepared task.
    """
    names, test, train = shared_columns(material), material.test, material.train
    looked = False
    if names and train is not None and train.table is not None and test.table is not None:
        looked = True
        rows = [sample_positions(len(items), MAX_ROWS) for items in (train, test)]
        tables = [train.table.frame.iloc[rows[0]], test.table.frame.iloc[rows[1]]]
        encoded = {name: encode(name, tables) for name in names}
        yield from _compare(encoded, test.table.path)
    sizes = [
        material.files.facts.size[np.flatnonzero(of >= 0)] for of in (material.train_item_of, material.test_item_of)
    ]
    if all(len(side) >= 20 for side in sizes):
        looked = True
        chosen = [side[sample_positions(len(side), MAX_ROWS)].astype(float) for side in sizes]
        where = material.files.container(int(np.flatnonzero(material.test_item_of >= 0)[0]))
        yield from _compare({"size of the file": chosen}, where or None)
    if not looked:
        raise NothingToScanError("There are no train items that could be compared with test items.")


def _compare(encoded: dict[str, list[Array]], file: str | None) -> Iterator[Finding]:
    columns = {name: np.concatenate(sides) for name, sides in encoded.items()}
    is_test = np.concatenate([np.full(len(side), number) for number, side in enumerate(next(iter(encoded.values())))])
    names = {name for name, sides in encoded.items() if _names_groups(*sides)}
    groups = max((columns[name] for name in names), key=lambda values: -len(np.unique(values)), default=None)
    columns = {name: values for name, values in columns.items() if name not in names}
    if not columns:
        return
    auc, p = _separability(np.column_stack(list(columns.values())), is_test, groups)
    if auc > MAX_AUC and p < MAX_P:
        alone = {name: _separability(values[:, None], is_test, groups)[0] for name, values in columns.items()}
        telling = sorted((name for name in alone if alone[name] > MAX_AUC), key=alone.__getitem__, reverse=True)
        yield Finding(
            scanner="origin",
            what=f"A model tells train from test items by {join_names(telling or columns, limit=MAX_NAMED)}.",
            number=round(auc, 3),
            threshold=MAX_AUC,
            file=file,
            column=telling[0] if telling else None,
            remedy="Draw the test items in the same way as the train items, or say in the brief how they differ.",
            details={"p": p} | {name: round(alone[name], 3) for name in telling[:MAX_NAMED]},
        )


def _names_groups(train: Array, test: Array) -> bool:
    """Return whether a column names groups that were split as a whole: values repeat, but are on one side each.

    Values that are larger on one side, such as dates, are no such names.
    """
    from scipy import stats

    levels = np.union1d(train, test)
    if len(levels) < MIN_GROUPS or len(levels) > 0.95 * (len(train) + len(test)):
        return False
    if len(np.intersect1d(train, test)) > 0.05 * len(np.unique(test)):
        return False
    auc = stats.mannwhitneyu(np.unique(train), np.unique(test)).statistic / (
        len(np.unique(train)) * len(np.unique(test))
    )
    return bool(abs(auc - 0.5) < 0.25)


def _separability(values: Array, is_test: Array, groups: Array | None) -> tuple[float, float]:
    """Return the area under the ROC curve of a cross-validated model, and the p-value of an area of `MAX_AUC`.

    The p-value is that of the normal approximation. Items of one group are in one fold, and count as one for it.
    """
    from scipy import stats
    from sklearn.ensemble import RandomForestClassifier
    from sklearn.metrics import roc_auc_score
    from sklearn.model_selection import StratifiedGroupKFold, cross_val_predict

    each = np.arange(len(is_test)) if groups is None else np.unique(groups, return_inverse=True)[1]
    counts = np.bincount(is_test[np.unique(each, return_index=True)[1]], minlength=2)
    if counts.min() < 10:
        return 0.5, 1.0
    model = RandomForestClassifier(50, min_samples_leaf=5, max_depth=10, random_state=0)
    folds = StratifiedGroupKFold(3, shuffle=True, random_state=0)
    values = np.clip(np.nan_to_num(values, nan=-1e30), -1e30, 1e30)
    told = cross_val_predict(model, values, is_test, groups=each, cv=folds, method="predict_proba")[:, 1]
    auc = float(roc_auc_score(is_test, told))
    spread = np.sqrt((counts.sum() + 1) / (12 * counts[0] * counts[1]))
    return auc, float(stats.norm.sf((auc - MAX_AUC) / spread))
