"""Distances of sets of voxels, which are lists of positions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Positions = NDArray[np.int64]

BLOCKS = (16, 4)
"""Sides in voxels of the blocks of which one voxel is measured before the others."""


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
    return max(_directed(one, other, scale), _directed(other, one, scale))


def _directed(voxels: Positions, others: Positions, scale: NDArray[np.float64]) -> float:
    """Return the largest distance of a voxel to the nearest of the others; positions have shape (n_axes, n_voxels).

    Shared voxels have the distance 0. Of the rest, one voxel of each block is measured first. A block whose farthest
    corner must be nearer than the largest distance so far is left out. Then the same is done with smaller blocks.
    """
    from scipy.spatial import KDTree

    shape = np.maximum(voxels.max(axis=1), others.max(axis=1)) + 3
    full, numbers = np.zeros(np.prod(shape), dtype=bool), _numbers(others + 1, shape)  # a margin on either side
    full[numbers] = True
    voxels = voxels[:, ~full[_numbers(voxels + 1, shape)]]
    if not voxels.size:
        return 0.0
    hull = others[:, _is_outermost(numbers, full, shape)]
    nearest = KDTree((hull / scale).T, leafsize=32, compact_nodes=False, balanced_tree=False)
    farthest = 0.0
    for side in BLOCKS:
        block = _numbers(voxels // side, shape // side + 1)
        of_block = np.zeros(np.prod(shape // side + 1), dtype=np.int64)
        of_block[block] = np.arange(1, len(block) + 1)
        blocks = np.flatnonzero(of_block)
        distance = nearest.query((voxels[:, of_block[blocks] - 1] / scale).T)[0]
        farthest = max(farthest, float(distance.max()))
        across = float(np.linalg.norm((side - 1) / scale)) * (1 + 1e-9)
        of_block[blocks] = distance + across >= farthest
        voxels = voxels[:, of_block[block] > 0]
    return float(nearest.query((voxels / scale).T)[0].max())


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
