"""Distances of sets of voxels, which are lists of positions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Positions = NDArray[np.int64]

BLOCKS = (16, 4, 2)
"""Sides in voxels of the blocks of which one voxel is measured before the others."""
SLACK = 1 + 1e-9
"""Factor of bounds, which covers their rounding."""
MARGIN = 3
"""Voxels around a volume, and the largest step along an axis to a neighbour that is looked up instead of measured."""


def hausdorff_distance(first: Positions, second: Positions, unit: Sequence[float]) -> float:
    """Hausdorff distance of two sets of voxels: the largest distance of a voxel to the nearest one of the other set.

    Parameters
    ----------
    first, second : array of shape (n_voxels, n_axes)
        Positions of voxels from 0 without repeats; neither set may be empty.
    unit : sequence of n_axes floats
        Number of voxels along each axis that make a distance of 1.

    Returns
    -------
    float
        In units; 0 for equal sets. It equals the larger of the two values of SciPy's `directed_hausdorff`, whose time
        grows with the product of the sizes if the sets are far apart.

    Examples
    --------
    >>> hausdorff_distance(np.array([[0, 0], [0, 1]]), np.array([[0, 0], [2, 1]]), unit=(2, 1))
    1.0
    """
    scale = np.asarray(unit, dtype=float)[:, np.newaxis]
    one, other = (np.ascontiguousarray(voxels.T) for voxels in (first, second))
    return _directed(other, one, scale, _directed(one, other, scale, 0.0))


def _directed(voxels: Positions, others: Positions, scale: NDArray[np.float64], farthest: float) -> float:
    """Return the largest distance of a voxel to the nearest of the others, or `farthest` if that is larger.

    Shared voxels have the distance 0, and voxels with a neighbour of the other set nearer than `farthest` do not count.
    Of the rest, one voxel of each block is measured first. A block whose farthest corner must be nearer than the
    largest distance so far is left out, and so is a voxel to which the voxel found for its block is nearer. Then the
    same is done with smaller blocks. Positions have shape (n_axes, n_voxels).
    """
    from scipy.spatial import KDTree

    shape = np.maximum(voxels.max(axis=1), others.max(axis=1)) + 1 + 2 * MARGIN
    full, numbers = np.zeros(np.prod(shape), dtype=bool), _numbers(others + MARGIN, shape)
    full[numbers] = True
    voxels = _without_near(voxels, full, shape, scale, farthest)
    if not voxels.size:
        return farthest
    hull = others[:, _is_outermost(numbers, full, shape)]
    nearest = KDTree((hull / scale).T, leafsize=32, compact_nodes=False, balanced_tree=False)
    for side in BLOCKS:
        block = _numbers(voxels // side, shape // side + 1)
        of_block = np.zeros(np.prod(shape // side + 1), dtype=np.int64)
        of_block[block] = np.arange(1, len(block) + 1)
        blocks = np.flatnonzero(of_block)
        distance, found = nearest.query((voxels[:, of_block[blocks] - 1] / scale).T)
        farthest = max(farthest, float(distance.max()))
        across = float(np.linalg.norm((side - 1) / scale)) * SLACK
        of_block[blocks] = np.where(distance + across >= farthest, found + 1, 0)
        found = of_block[block]
        voxels, found = voxels[:, found > 0], found[found > 0] - 1
        voxels = voxels[:, np.linalg.norm((voxels - hull[:, found]) / scale, axis=0) * SLACK >= farthest]
        if not voxels.size:
            return farthest
    return max(farthest, float(nearest.query((voxels / scale).T)[0].max()))


def _without_near(
    voxels: Positions, full: NDArray[np.bool_], shape: Positions, scale: NDArray[np.float64], farthest: float
) -> Positions:
    """Return the voxels without those that are full, or have a full neighbour nearer than `farthest`."""
    sides = np.meshgrid(*[np.arange(-MARGIN, MARGIN + 1)] * len(shape), indexing="ij")
    steps = np.stack([side.ravel() for side in sides])
    lengths = np.linalg.norm(steps / scale, axis=0) * SLACK
    order = np.argsort(lengths, kind="stable")
    weights = np.append(np.cumprod(shape[:0:-1])[::-1], 1)
    numbers, rest = _numbers(voxels + MARGIN, shape), np.arange(voxels.shape[1])
    for step in order[(lengths[order] < farthest) | (lengths[order] == 0)]:
        kept = ~full[numbers + int(steps[:, step] @ weights)]
        numbers, rest = numbers[kept], rest[kept]
    return voxels[:, rest]


def _is_outermost(numbers: Positions, full: NDArray[np.bool_], shape: Positions) -> NDArray[np.bool_]:
    """Return which voxels lack a neighbour along an axis: seen from outside, the nearest voxel is one of these."""
    inner = np.ones(len(numbers), dtype=bool)
    for step in np.cumprod([1, *shape[:0:-1]]):
        inner &= full[numbers - step] & full[numbers + step]
    return ~inner


def _numbers(voxels: Positions, shape: Positions) -> Positions:
    """Return the number of each voxel in a volume of that shape."""
    numbers: Positions = np.ravel_multi_index(tuple(voxels), tuple(shape))
    return numbers
