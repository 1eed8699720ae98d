"""Distances of sets of voxels, against SciPy's."""

from __future__ import annotations

import math

import numpy as np
import pytest
import scipy.spatial
from scipy.spatial import KDTree
from scipy.spatial.distance import directed_hausdorff

from mlebench.metrics.volumes import hausdorff_distance


@pytest.mark.parametrize("seed", range(12))
def test_distance_is_that_of_scipy(seed):
    rng = np.random.default_rng(seed)
    shape = rng.integers(1, 40, 3)
    first = np.argwhere(rng.random(shape) < rng.choice([0.001, 0.1, 0.9]))
    second = np.argwhere(np.add.outer(np.add.outer(*map(np.arange, shape[:2])), np.arange(shape[2])) % 17 < seed % 5)
    first, second = (np.concatenate([[[0, 0, 0]], voxels[voxels.any(axis=1)]]) for voxels in (first, second))
    one, other = first / shape, second / shape
    wanted = max(directed_hausdorff(one, other)[0], directed_hausdorff(other, one)[0])
    assert hausdorff_distance(first, second, shape) == pytest.approx(wanted, rel=1e-12, abs=0)


@pytest.mark.parametrize("seed", range(60))
def test_distance_of_sets_near_each_other_is_that_of_all_voxels(seed):
    rng = np.random.default_rng(seed)
    shape = rng.integers(4, 24, 3)
    center = rng.random(3) * shape
    distance = np.linalg.norm(np.indices(shape).T - center, axis=-1).T
    ball = distance < rng.uniform(2, 9)
    ball[tuple(center.astype(int))] = True
    moved = np.roll(ball, rng.integers(-3, 4, 3), axis=(0, 1, 2)) & (rng.random(shape) < rng.choice([0.1, 0.8, 1]))
    moved[tuple(rng.integers(0, shape))] = True
    first, second = np.argwhere(ball), np.argwhere(moved)
    wanted = max(KDTree(one / shape).query(other / shape)[0].max() for one, other in ((first, second), (second, first)))
    assert hausdorff_distance(first, second, shape) == pytest.approx(wanted, rel=1e-12, abs=0)


@pytest.fixture
def measured(monkeypatch):
    """The numbers of voxels whose distance is measured, one for each call."""
    numbers = []

    class Counting(KDTree):
        def query(self, places):
            numbers.append(len(places))
            return super().query(places)

    monkeypatch.setattr(scipy.spatial, "KDTree", Counting)
    return numbers


def test_voxels_with_near_neighbours_are_not_measured(measured):
    cube = np.argwhere(np.ones((40, 40, 40)))
    scattered = cube[cube.sum(axis=1) % 2 == 0] * 2
    assert hausdorff_distance(scattered, cube, (40, 40, 40)) == pytest.approx(math.sqrt(3) * 39 / 40, rel=0.02)
    assert sum(measured) < len(cube) / 20


def test_few_voxels_of_a_shell_around_the_other_set_are_measured(measured):
    shape = (60, 120, 120)
    distance = np.linalg.norm(np.indices(shape).T - np.array([30, 60, 60]), axis=-1).T
    ball, shell = np.argwhere(distance < 8), np.argwhere((distance >= 24) & (distance < 26))
    sides = (shell / shape, ball / shape)
    wanted = max(KDTree(one).query(other)[0].max() for one, other in (sides, sides[::-1]))
    measured.clear()
    assert hausdorff_distance(ball, shell, shape) == hausdorff_distance(shell, ball, shape) == wanted
    assert sum(measured) < len(shell) / 10


def test_distance_of_large_sets_far_apart_takes_no_time():
    cube = np.argwhere(np.ones((40, 60, 60)))
    assert hausdorff_distance(cube, cube + np.array([0, 100, 0]), (1, 1, 1)) == 100
    assert hausdorff_distance(cube, cube, (1, 1, 1)) == 0


def test_the_middle_of_a_full_block_is_farthest_from_its_hull():
    cube = np.argwhere(np.ones((21, 21, 21)))
    hull = cube[((cube == 0) | (cube == 20)).any(axis=1)]
    assert hausdorff_distance(cube, hull, (20, 20, 20)) == pytest.approx(0.5)
