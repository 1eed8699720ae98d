"""Simulated experiments with a known truth."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable


STUDIES = 400


def coverage(study: Callable[[np.random.Generator], tuple[float, float]], truth: float) -> float:
    rng = np.random.default_rng(7)
    found = [study(rng) for _ in range(STUDIES)]
    return sum(low <= truth <= high for low, high in found) / STUDIES


def success(rng: np.random.Generator, chances: np.ndarray, seeds: int) -> np.ndarray:
    return (rng.random((len(chances), seeds)) < chances[:, np.newaxis]).astype(float)
