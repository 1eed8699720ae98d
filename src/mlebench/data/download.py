"""Download a competition's archive and pages: the boundary between preparing data and the Kaggle client."""

from __future__ import annotations

import time
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

from pydantic import BaseModel, ConfigDict, ValidationError

from mlebench.data.progress import Step
from mlebench.errors import CredentialsError, KaggleError, MissingExtraError, RawDataError
from mlebench.ground.clock import now
from mlebench.ground.files import write_atomically
from mlebench.ground.wording import format_size

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from mlebench.data.progress import Progress
    from mlebench.kaggle import KaggleClient
    from mlebench.tasks.competition import Competition

DOWNLOAD_RECORD = ".download.json"
"""File beside an archive that mlebench downloaded, and so may remove."""


class Downloader(Protocol):
    """What preparing needs of a Kaggle client; `mlebench.kaggle.KaggleClient` is one."""

    def archive_size(self, competition_id: str, /) -> int | None:
        """Return the bytes of a competition's archive, or None if they are unknown."""

    def download(
        self, competition_id: str, target: Path, /, progress: Callable[[int, int | None], None] | None = None
    ) -> Path:
        """Download a competition's archive to `target`, and resume an earlier partial download.

        `progress` is called with the bytes so far and the total, or None if it is unknown.
        """


class DownloadRecord(BaseModel):
    """The last download of an archive, in `.download.json`."""

    model_config = ConfigDict(frozen=True)

    archive: str
    bytes: int
    """Of the complete archive."""
    seconds: float = 0.0
    """Duration of the last call; 0 while it runs."""
    fetched: int = 0
    """Bytes that the last call downloaded in that time; the others are from earlier calls."""
    at: datetime

    @classmethod
    def read(cls, folder: Path) -> DownloadRecord | None:
        """Return the record in a competition's folder, or None if nothing was downloaded."""
        try:
            return cls.model_validate_json((folder / DOWNLOAD_RECORD).read_bytes())
        except (OSError, ValidationError):
            return None

    def write(self, folder: Path) -> None:
        """Write, or replace, the record in a competition's folder."""
        write_atomically(folder / DOWNLOAD_RECORD, self.model_dump_json() + "\n")


def archive_path(competition: Competition) -> Path:
    """Return the path of a competition's archive in the data directory."""
    return competition.raw_dir.parent / f"{competition.id}.zip"


def is_own_download(competition: Competition) -> bool:
    """Whether mlebench downloaded the archive itself, so it is safe to delete."""
    archive = archive_path(competition)
    record = DownloadRecord.read(archive.parent)
    return record is not None and archive.is_file() and record.bytes == archive.stat().st_size


def kaggle_client() -> KaggleClient:
    """Return the client that is used if the caller passes none; its first call authenticates."""
    from mlebench.kaggle import KaggleClient

    return KaggleClient()


def download_archive(competition_id: str, archive: Path, client: Downloader | None, progress: Progress) -> Path:
    """Download a competition's archive.

    Parameters
    ----------
    competition_id
        The competition's id at Kaggle.
    archive
        Path of the zip file.
    client
        By default a `KaggleClient`.
    progress
        Receives the step and its bytes.

    Raises
    ------
    RawDataError
        There are no credentials, or the extra `kaggle` is missing. The message names the other ways to get the data.
    KaggleError, ChecksumError, DiskFullError
        As `KaggleClient.download`.
    """
    client = client or kaggle_client()
    counter = _ByteCounter(archive, progress)
    started = time.monotonic()
    try:
        client.download(competition_id, archive, progress=counter)
    except (CredentialsError, MissingExtraError) as error:
        raise RawDataError(
            f"There are no raw data of {competition_id}. {str(error).rstrip('.')}. "
            f"Or pass the zip from https://www.kaggle.com/c/{competition_id}/data with --raw PATH, "
            "or prepare synthetic data with --rehearsal."
        ) from error
    size = archive.stat().st_size
    seconds = time.monotonic() - started
    _record(archive, size, seconds, counter.fetched)
    progress.message(f"{archive.name} is downloaded, {format_size(size)}.")
    return archive


def fetch_description(competition: Competition, client: Downloader | None, progress: Progress) -> str | None:
    """Return the competition's own pages as Markdown, or None if they cannot be downloaded."""
    from mlebench.kaggle import KaggleClient, describe

    client = client or kaggle_client()
    if not isinstance(client, KaggleClient):
        return None
    try:
        return describe(client, competition)
    except (CredentialsError, MissingExtraError):
        return None
    except KaggleError as error:
        progress.message(
            f"The pages of {competition.id} cannot be downloaded, so its description is our brief: {error}"
        )
        return None


class _ByteCounter:
    """Converts a client's progress, the bytes so far, to increments."""

    def __init__(self, archive: Path, progress: Progress) -> None:
        self._archive, self._progress = archive, progress
        self._size: int | None = None
        self.fetched = 0

    def __call__(self, size: int, total: int | None) -> None:
        if self._size is None:
            if total is not None:
                _record(self._archive, total)  # before the archive is complete, so that a kill cannot lose its origin
            self._progress.step(Step.DOWNLOAD, total)
            self._progress.advance(size)
        else:
            increment = max(0, size - self._size)  # the size falls when the download starts again
            self.fetched += increment
            self._progress.advance(increment)
        self._size = size


def _record(archive: Path, size: int, seconds: float = 0.0, fetched: int = 0) -> None:
    record = DownloadRecord(archive=archive.name, bytes=size, seconds=seconds, fetched=fetched, at=now())
    record.write(archive.parent)
