"""Fetching a competition's archive and pages from Kaggle: the seam between preparing and whoever speaks to Kaggle."""

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

NOTE = ".download.json"
"""Stands beside an archive that mlebench fetched itself, and so may remove."""


class Downloader(Protocol):
    """What preparing needs of a Kaggle client; `mlebench.kaggle.KaggleClient` is one."""

    def archive_size(self, competition_id: str, /) -> int | None:
        """Return how many bytes a competition's archive has, if Kaggle tells."""

    def download(
        self, competition_id: str, target: Path, /, progress: Callable[[int, int | None], None] | None = None
    ) -> Path:
        """Fetch a competition's archive to `target`, going on with what an earlier call began.

        `progress` is called with the bytes that are there and the bytes of the whole.
        """


class DownloadNote(BaseModel):
    """What is known of a download, in `.download.json`."""

    model_config = ConfigDict(frozen=True)

    archive: str
    bytes: int
    """Of the whole archive."""
    seconds: float = 0.0
    """How long the last call took; nothing while it is under way."""
    fetched: int = 0
    """Bytes that the last call fetched in these seconds; the rest was there before."""
    at: datetime


def archive_of(competition: Competition) -> Path:
    """Return where Kaggle's archive of a competition lies, if it is there."""
    return competition.raw_dir.parent / f"{competition.id}.zip"


def read_note(home: Path) -> DownloadNote | None:
    """Return what is known of the download of a competition's archive, or None if there was none."""
    try:
        return DownloadNote.model_validate_json((home / NOTE).read_bytes())
    except (OSError, ValidationError):
        return None


def fetch(competition_id: str, archive: Path, client: Downloader | None, progress: Progress) -> Path:
    """Download a competition's archive; RawDataError, with every way out, where nobody can."""
    client = client or kaggle_client()
    counter = _Counter(archive, progress)
    began = time.monotonic()
    try:
        client.download(competition_id, archive, progress=counter)
    except (CredentialsError, MissingExtraError) as error:
        raise no_raw_data(competition_id, archive, str(error)) from error
    size = archive.stat().st_size
    _write_note(archive, size, time.monotonic() - began, counter.fetched)
    progress.say(f"{archive.name} is downloaded, {format_size(size)}.")
    return archive


def is_own_download(competition: Competition) -> bool:
    """Say whether mlebench itself fetched the archive, so that it is no loss to anybody to remove it."""
    note, archive = read_note(archive_of(competition).parent), archive_of(competition)
    return note is not None and archive.is_file() and note.bytes == archive.stat().st_size


def kaggle_client() -> KaggleClient:
    """Return a client that speaks to Kaggle; it authenticates when it is first asked for something."""
    from mlebench.kaggle import KaggleClient

    return KaggleClient()


def own_pages(competition: Competition, client: Downloader | None, progress: Progress) -> str | None:
    """Return the competition's own description where credentials allow to fetch it, or None."""
    from mlebench.kaggle import KaggleClient, describe

    client = client or kaggle_client()
    if not isinstance(client, KaggleClient):
        return None
    try:
        return describe(client, competition)
    except (CredentialsError, MissingExtraError):
        return None
    except KaggleError as error:
        progress.say(f"The pages of {competition.id} cannot be fetched, so our brief is its description: {error}")
        return None


class _Counter:
    """Turns what a client tells, the bytes that are there, into what is new since it last told."""

    def __init__(self, archive: Path, progress: Progress) -> None:
        self._archive, self._progress = archive, progress
        self._there: int | None = None
        self.fetched = 0

    def __call__(self, there: int, total: int | None) -> None:
        if self._there is None:
            if total is not None:
                _write_note(self._archive, total)  # before the archive has its name, or a kill would make it ownerless
            self._progress.step(Step.DOWNLOAD, total)
            self._progress.advance(there)
        else:
            new = max(0, there - self._there)  # less than before when the transfer had to begin anew
            self.fetched += new
            self._progress.advance(new)
        self._there = there


def _write_note(archive: Path, size: int, seconds: float = 0.0, fetched: int = 0) -> None:
    note = DownloadNote(archive=archive.name, bytes=size, seconds=seconds, fetched=fetched, at=now())
    write_atomically(archive.parent / NOTE, note.model_dump_json() + "\n")


def no_raw_data(competition_id: str, archive: Path, reason: str) -> RawDataError:
    """Return the error that says how to come by raw data."""
    return RawDataError(
        f"There are no raw data of {competition_id}, and they cannot be downloaded: {reason.rstrip('.')}; "
        f"or get the zip from https://www.kaggle.com/c/{competition_id}/data yourself and give it with --raw PATH, "
        f"or put it at {archive}, or prepare synthetic data with --rehearsal."
    )
