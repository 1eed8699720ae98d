"""Sets of voxels as lists of their positions: how far apart they are, without a volume of distances."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Positions = NDArray[np.int64]

BLOCK = 8
"""Voxels along the side of a block, of which one is looked at before the others."""


def hausdorff_distance(first: Positions, second: Positions, unit: Sequence[float]) -> float:
    """Hausdorff distance of two sets of voxels: how far a voxel of one can be from the nearest one of the other.

    Parameters
    ----------
    first, second : array of shape (n_voxels, n_axes)
        Positions of voxels from 0, none twice; neither set is empty.
    unit : sequence of n_axes floats
        How many voxels along each axis make a distance of 1.

    Returns
    -------
    float
        In units; 0 for equal sets. It is the larger of the two that SciPy's `directed_hausdorff` gives, whose time
        grows with the product of the sizes for sets that are far apart.

    Examples
    --------
    >>> hausdorff_distance(np.array([[0, 0], [0, 1]]), np.array([[0, 0], [2, 1]]), unit=(2, 1))
    1.0
    """
    units = np.asarray(unit, dtype=float)
    return max(_directed(first, second, units), _directed(second, first, units))


def _directed(voxels: Positions, others: Positions, unit: NDArray[np.float64]) -> float:
    """Return how far a voxel is from the others at most.

    Voxels that the others share have a distance of 0. Of the rest, one of each block is looked at first; where even the
    farthest corner of its block would be nearer than what was found, the block is left out.
    """
    from scipy.spatial import KDTree

    voxels = _not_shared(voxels, others)
    if not len(voxels):
        return 0.0
    nearest = KDTree(_hull(others) / unit, compact_nodes=False, balanced_tree=False)
    blocks = _numbers(voxels // BLOCK, voxels.max(axis=0) // BLOCK + 1)
    _, chosen, block = np.unique(blocks, return_index=True, return_inverse=True)
    distance = nearest.query(voxels[chosen] / unit)[0]
    across = float(np.linalg.norm((BLOCK - 1) / unit)) * (1 + 1e-9)
    left = (distance + across >= distance.max())[block]
    return float(nearest.query(voxels[left] / unit)[0].max())


def _not_shared(voxels: Positions, others: Positions) -> Positions:
    shape = np.maximum(voxels.max(axis=0), others.max(axis=0)) + 1
    shared: NDArray[Any] = np.isin(_numbers(voxels, shape), _numbers(others, shape), assume_unique=True)
    rest: Positions = voxels[~shared]
    return rest


def _hull(voxels: Positions) -> Positions:
    """Return the voxels that lack a neighbour along some axis: from outside, the nearest voxel is one of these."""
    low = voxels.min(axis=0) - 1
    shape = voxels.max(axis=0) - low + 2
    numbers = _numbers(voxels - low, shape)
    full = np.zeros(np.prod(shape), dtype=bool)
    full[numbers] = True
    inner = np.ones(len(voxels), dtype=bool)
    for step in np.cumprod([1, *shape[:0:-1]]):
        inner &= full[numbers - step] & full[numbers + step]
    hull: Positions = voxels[~inner]
    return hull


def _numbers(voxels: Positions, shape: Positions) -> Positions:
    """Return the number of each voxel in a volume of that shape."""
    numbers: Positions = np.ravel_multi_index(tuple(voxels.T), tuple(shape))
    return numbers
