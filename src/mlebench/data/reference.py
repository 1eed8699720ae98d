"""Names of `mlebench.data` that programs written for the reference call."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import TYPE_CHECKING

from mlebench.data.download import download_archive
from mlebench.data.locks import LOCK, locked
from mlebench.data.preparing import prepare
from mlebench.data.progress import LogProgress

if TYPE_CHECKING:
    import pandas as pd

    from mlebench.tasks.competition import Competition

logger = logging.getLogger(__name__)


def download_and_prepare_dataset(
    competition: Competition,
    keep_raw: bool = True,
    overwrite_checksums: bool = False,
    overwrite_leaderboard: bool = False,
    skip_verification: bool = False,
) -> None:
    """Prepare a competition's data.

    Parameters
    ----------
    competition
        The competition to prepare.
    keep_raw
        Keep the unpacked raw data.
    overwrite_checksums
        Checksums are never overwritten; this has the effect of `skip_verification`, and a warning is logged.
    overwrite_leaderboard
        Has no effect; a warning is logged.
    skip_verification
        Do not compare the prepared files with the checksums on record.

    Raises
    ------
    PreparationError, KaggleError, DiskFullError
        As `mlebench.prepare`.
    """
    if overwrite_checksums or overwrite_leaderboard:
        logger.warning("Checksums and leaderboards on record are part of mlebench and are not overwritten.")
    ensure_leaderboard_exists(competition)
    prepare(competition, keep_raw=keep_raw, skip_verification=skip_verification or overwrite_checksums)


def download_dataset(competition_id: str, download_dir: Path, quiet: bool = False, force: bool = False) -> Path:
    """Download a competition's archive into a folder.

    Parameters
    ----------
    competition_id
        The competition's id at Kaggle.
    download_dir
        The folder; it is created if it does not exist.
    quiet
        Has no effect; nothing is printed.
    force
        Download again an archive that exists.

    Returns
    -------
    Path
        The zip file.
    """
    folder = Path(download_dir)
    folder.mkdir(parents=True, exist_ok=True)
    with locked(folder / LOCK):
        archive = folder / f"{competition_id}.zip"
        if force:
            archive.unlink(missing_ok=True)
        return archive if archive.is_file() else download_archive(competition_id, archive, None, LogProgress())


def create_prepared_dir(competition: Competition) -> None:
    """Create the empty folders that a preparer fills."""
    competition.public_dir.mkdir(exist_ok=True, parents=True)
    competition.private_dir.mkdir(exist_ok=True, parents=True)


def ensure_leaderboard_exists(competition: Competition, force: bool = False) -> Path:
    """Return the path of a competition's leaderboard.

    Parameters
    ----------
    competition : Competition
        The competition.
    force : bool
        Without effect: leaderboards are part of mlebench. The reference downloads them again.

    Raises
    ------
    FileNotFoundError
        There is no leaderboard.
    """
    if force:
        logger.warning("Leaderboards are part of mlebench and are not downloaded again.")
    if not competition.leaderboard.is_file():
        raise FileNotFoundError(f"There is no leaderboard for {competition.id} at {competition.leaderboard}.")
    return competition.leaderboard


def get_leaderboard(competition: Competition) -> pd.DataFrame:
    """Return the private leaderboard, best first, with a column `score`."""
    from mlebench.ground.tables import read_csv

    return read_csv(ensure_leaderboard_exists(competition))
