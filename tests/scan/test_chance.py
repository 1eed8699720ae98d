from __future__ import annotations

import numpy as np
import pytest

from mlebench.scan.chance import agreement, neighbour_association, rank_association, tree_association
from mlebench.scan.targets import Target

CLASSES = Target("y", np.arange(300) % 3, ("a", "b", "c"))
NUMBERS = Target("y", np.random.default_rng(5).normal(size=300))
STATISTICS = [rank_association, neighbour_association, agreement]


def is_finding(statistic, values, target):
    return statistic(values, target).is_finding()


@pytest.mark.parametrize("target", [CLASSES, NUMBERS], ids=["classes", "numbers"])
@pytest.mark.parametrize("statistic", STATISTICS)
def test_the_answers_themselves_are_found(statistic, target):
    evidence = statistic(target.values.astype(float), target)
    assert evidence.is_finding(comparisons=20)
    assert evidence.effect > 0.9


@pytest.mark.parametrize("target", [CLASSES, NUMBERS], ids=["classes", "numbers"])
@pytest.mark.parametrize("statistic", STATISTICS)
def test_random_features_are_rarely_found(statistic, target, seed):
    rng = np.random.default_rng(seed)
    found = sum(is_finding(statistic, rng.permutation(target.values).astype(float), target) for _ in range(40))
    assert found <= 2  # at p < 0.001, three of 40 occur in one of 100,000 runs


def test_a_tree_finds_two_features_that_tell_only_together():
    rng = np.random.default_rng(6)
    features = rng.integers(0, 2, (600, 2)).astype(float)
    target = Target("y", (features[:, 0] != features[:, 1]).astype(int), ("a", "b"))
    assert tree_association(features + rng.normal(0, 0.01, (600, 2)), target).effect > 0.3
    assert not tree_association(rng.normal(size=(600, 2)), target).is_finding()


def test_few_items_and_constant_features_prove_nothing():
    few = Target("y", np.array([0, 1, 0, 1]), ("a", "b"))
    assert not is_finding(rank_association, few.values.astype(float), few)
    assert not is_finding(rank_association, np.zeros(300), CLASSES)


def test_unknown_answers_and_guesses_are_left_out():
    target = Target("y", np.where(np.arange(300) % 2, -1, CLASSES.values), CLASSES.classes)
    guesses = np.where(np.arange(300) < 100, -1, CLASSES.values)
    assert agreement(guesses, target).value == 1
