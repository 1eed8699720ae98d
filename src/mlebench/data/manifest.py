"""The manifest of prepared data: where they came from, and what they consist of."""

from __future__ import annotations

import shlex
from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from mlebench.data.summaries import FileSummary
from mlebench.errors import NotPreparedError
from mlebench.ground.files import write_atomically
from mlebench.tasks.registry import DEFAULT_DATA_DIR

if TYPE_CHECKING:
    from pathlib import Path

    from mlebench.tasks.competition import Competition

MANIFEST = "manifest.json"
DESCRIPTION = "description.md"


class Source(StrEnum):
    """Where prepared data came from, which decides what a score on them means."""

    KAGGLE = "kaggle"
    """The real raw data; the prepared files agree with the checksums on record."""
    EMBEDDED = "embedded"
    """Made on this machine from data that a dependency includes."""
    REHEARSAL = "rehearsal"
    """Small synthetic data with the real schema; never a result."""
    UNVERIFIED = "unverified"
    """Raw data of the user that differ from the record or were not compared with it."""
    UNKNOWN = "unknown"
    """Prepared by another program; there is no manifest."""


class Manifest(BaseModel):
    """The content of `manifest.json`, the last file that preparing writes."""

    model_config = ConfigDict(frozen=True)

    format_version: Literal[1] = 1
    competition_id: str
    version: str
    source: Source
    rehearsal_sha256: str | None = None
    """Digest of the archive that rehearsal data were made from."""
    description: Literal["kaggle", "brief"] = "brief"
    """The text of `description.md`: the competition's own pages, or our brief."""
    public_files: int
    private_files: int
    bytes: int
    tables: dict[str, FileSummary] = Field(default_factory=dict)
    """The tables directly below `public` and `private`, by path, as they were written."""
    neutral: bool = False
    """Whether order and times of the public files say nothing; false for data of earlier versions."""
    sample_checked: bool = False
    """Whether grading the sample submission gave the score on record."""
    prepared_at: datetime
    mlebench_version: str


def is_dataset_prepared(competition: Competition, grading_only: bool = False) -> bool:
    """Tell whether a competition's data are prepared.

    Parameters
    ----------
    competition : Competition
        The competition.
    grading_only : bool
        Look only for the answers, which grading needs.
    """
    from mlebench.tasks.competition import Competition

    assert isinstance(competition, Competition), f"A Competition is needed, not a {type(competition).__name__}."
    if not (has_files(competition.private_dir) and competition.answers.is_file()):
        return False
    return grading_only or (has_files(competition.public_dir) and competition.sample_submission.is_file())


def require_prepared(competition: Competition, *, grading_only: bool = False, rehearsal: bool = False) -> None:
    """Raise NotPreparedError, with the command to run, unless a competition's data are prepared.

    Parameters
    ----------
    competition
        The competition.
    grading_only
        Whether the private files are enough.
    rehearsal
        Whether the command prepares rehearsal data.
    """
    if not is_dataset_prepared(competition, grading_only=grading_only):
        raise NotPreparedError(
            f"The data of {competition.label} are not prepared in {competition.prepared_dir}; "
            f"run: {_prepare_command(competition, rehearsal=rehearsal)}"
        )


def _prepare_command(competition: Competition, *, rehearsal: bool) -> str:
    data_dir = competition.prepared_dir.parents[1]
    words = ["mlebench", "prepare", "-c", competition.label]
    words += ["--rehearsal"] if rehearsal else []
    words += ["--data-dir", str(data_dir)] if data_dir != DEFAULT_DATA_DIR else []
    return shlex.join(words)


def read_manifest(competition: Competition) -> Manifest | None:
    """Return the manifest of prepared data, or None if it is missing or malformed."""
    return read_manifest_in(competition.prepared_dir)


def read_manifest_in(prepared: Path) -> Manifest | None:
    """Return the manifest in a folder of prepared data, or None if it is missing or malformed."""
    try:
        return Manifest.model_validate_json((prepared / MANIFEST).read_bytes())
    except (OSError, ValidationError):
        return None


def write_manifest(manifest: Manifest, prepared: Path) -> None:
    """Write, or replace, the manifest of the data in a folder."""
    write_atomically(prepared / MANIFEST, manifest.model_dump_json(indent=2) + "\n")


def data_source(competition: Competition) -> Source:
    """Return where prepared data came from."""
    manifest = read_manifest(competition)
    return manifest.source if manifest else Source.UNKNOWN


def has_files(folder: Path) -> bool:
    """Whether a folder exists and is not empty."""
    return folder.is_dir() and any(folder.iterdir())
