"""How often test items have the answer of a train item, beside chance."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mlebench.scan.material import Material


def describe_agreement(material: Material, pairs: Sequence[tuple[int, int]]) -> dict[str, Any]:
    """Return how often the answers of test items equal those of train items, beside that of random train items.

    Parameters
    ----------
    material : Material
        The prepared task.
    pairs : sequence of (int, int)
        Numbers of test and train items; -1 for items without a known answer.

    Returns
    -------
    dict
        The shares `same answer` and `by chance`; empty if no train answer is known.
    """
    train = material.train
    known = np.array([pair for pair in pairs if pair[1] >= 0], dtype=np.int64)
    if train is None or not len(known):
        return {}
    targets = [
        (one.values, other.values)
        for one in material.test.targets
        for other in train.targets
        if one.columns == other.columns
    ]
    if not targets:
        return {}
    random = np.random.default_rng(3).integers(len(train), size=(20, len(known)))
    same = np.ones(len(known), bool)
    chance = np.ones(random.shape, bool)
    for test_values, train_values in targets:
        same &= np.isclose(test_values[known[:, 0]], train_values[known[:, 1]])
        chance &= np.isclose(test_values[known[:, 0]][None, :], train_values[random])
    return {
        "pairs": len(known),
        "same answer": round(float(same.mean()), 3),
        "by chance": round(float(chance.mean()), 3),
    }
