"""The options of preparing data."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path  # noqa: TC003 - jobs.py validates these fields with pydantic

from mlebench.errors import UsageError


@dataclass(frozen=True, kw_only=True)
class PrepareOptions:
    """How a competition's data are prepared, and what stays on the disk beside them."""

    raw: Path | None = None
    """Raw data of the user: Kaggle's zip, or the folder it unpacks to. By default they are found or downloaded."""
    rehearsal: bool = False
    """Prepare small synthetic data with the real schema."""
    keep_raw: bool = True
    """Keep the unpacked raw data."""
    keep_zip: bool = True
    """Keep an archive that mlebench downloaded. An archive of the user is always kept."""
    link: bool = True
    """Share unchanged files with the raw data by hard links. Otherwise they are copied if the raw data stay."""
    skip_verification: bool = False
    """Do not compare the prepared files with the checksums on record."""
    brief: bool = False
    """Use our brief as the description even if Kaggle's own pages can be downloaded."""
    force: bool = False
    """Prepare again what is already prepared."""

    def __post_init__(self) -> None:
        if self.raw is not None and self.rehearsal:
            raise UsageError("Raw data (--raw) and rehearsal data (--rehearsal) exclude each other; choose one.")
