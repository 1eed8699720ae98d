"""The registry of a group: real data and rehearsal data lie in different folders."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mlebench.data import Source
from mlebench.runs.reader import read_group
from mlebench.tasks.registry import Registry

if TYPE_CHECKING:
    from pathlib import Path

REHEARSAL_FOLDER = "rehearsal"
"""Folder in the data directory with the data of rehearsals."""


def rehearsal_registry(registry: Registry) -> Registry:
    """Return the registry of the rehearsal data, which never count as a result."""
    return Registry(registry.get_data_dir() / REHEARSAL_FOLDER, registry.folders)


def registry_of_group(folder: Path, registry: Registry) -> Registry:
    """Return the registry with the data that a group ran on: `registry`, or its rehearsal data."""
    rehearsal = rehearsal_registry(registry)
    return rehearsal if is_rehearsal(folder) and rehearsal.get_data_dir().is_dir() else registry


def is_rehearsal(folder: Path) -> bool:
    """Whether a group ran on rehearsal data."""
    return any(run.verdict and run.verdict.data == Source.REHEARSAL for run in read_group(folder).runs)
