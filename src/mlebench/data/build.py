"""Build prepared data from raw data: the public files, the answers and a verified manifest."""

from __future__ import annotations

import errno
import fcntl
import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from mlebench.data.manifest import DESCRIPTION, Manifest, Source, write_manifest
from mlebench.data.progress import Step
from mlebench.data.raw import rehearsal_digest
from mlebench.data.verifying import determine_source, summarize_tables
from mlebench.errors import DeclarationError, MLEBenchError, PreparationError
from mlebench.ground.clock import now
from mlebench.ground.files import DISK_FULL, folder_size
from mlebench.ground.version import __version__

if TYPE_CHECKING:
    from mlebench.data.progress import Progress
    from mlebench.data.raw import RawData
    from mlebench.data.summaries import FileSummary
    from mlebench.tasks.competition import Competition

FICLONE = 0x40049409
"""Linux' ioctl for a clone: a copy that shares its blocks until one of the two is changed."""
NOT_CLONEABLE = (errno.EOPNOTSUPP, errno.ENOTTY, errno.EXDEV, errno.EINVAL, errno.ENOSYS)
"""Error numbers of a file system that cannot clone."""


def build(
    competition: Competition,
    raw: RawData,
    prepared: Path,
    description: str | None,
    *,
    skip_verification: bool,
    copy_linked: bool,
    progress: Progress,
) -> Manifest:
    """Fill a folder from raw data, verify it and write its manifest.

    Parameters
    ----------
    competition
        Provides the preparer and the checksums on record.
    raw
        The raw data.
    prepared
        The folder to create.
    description
        The competition's own pages; without them, the description is our brief.
    skip_verification
        Do not compare with the checksums on record.
    copy_linked
        Replace hard links to raw files with copies.
    progress
        Receives the steps.

    Raises
    ------
    PreparationError
        The preparer fails, or the files differ from the record (ChecksumError).
    DeclarationError
        The preparer does not write the answers or the sample submission.
    """
    public, private = prepared / "public", prepared / "private"
    public.mkdir(parents=True)
    private.mkdir()
    progress.step(Step.PREPARE)
    try:
        competition.prepare_fn(raw.folder, public, private)
    except MLEBenchError:
        raise
    except Exception as error:
        if _is_disk_full(error):  # says nothing about the raw data
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)) from error
        raise PreparationError(
            f"Preparing {competition.label} failed ({type(error).__name__}: {error}); most likely its raw data are "
            "incomplete or belong to another competition."
        ) from error
    if copy_linked:
        _copy_linked_files(prepared, progress)
    (public / DESCRIPTION).unlink(missing_ok=True)  # it may be a hard link to a raw file
    (public / DESCRIPTION).write_text(description or competition.description, encoding="utf-8")
    for path in (competition.answers, competition.sample_submission):
        if not (prepared / path.relative_to(competition.prepared_dir)).is_file():
            raise DeclarationError(f"The preparer of {competition.label} did not write {path.name}.")
    tables = summarize_tables(prepared, progress)
    source = determine_source(
        competition, prepared, raw, tables, skip_verification=skip_verification, progress=progress
    )
    manifest = make_manifest(competition, prepared, source, tables, "kaggle" if description else "brief")
    write_manifest(manifest, prepared)
    return manifest


def make_manifest(
    competition: Competition,
    prepared: Path,
    source: Source,
    tables: dict[str, FileSummary],
    description: Literal["kaggle", "brief"],
) -> Manifest:
    """Return the manifest of prepared data; if root prepares them, public files become readable for all users.

    Parameters
    ----------
    competition
        The competition that was prepared.
    prepared
        The folder with `public` and `private`.
    source
        Where the data came from.
    tables
        Summaries of the tables by path below `prepared`.
    description
        The origin of `description.md`.
    """
    public_files, public_bytes = folder_size(prepared / "public", open_to_all=os.geteuid() == 0)
    private_files, private_bytes = folder_size(prepared / "private")
    return Manifest(
        competition_id=competition.id,
        version=competition.version,
        source=source,
        rehearsal_sha256=rehearsal_digest(competition) if source is Source.REHEARSAL else None,
        description=description,
        public_files=public_files,
        private_files=private_files,
        bytes=public_bytes + private_bytes,
        tables=tables,
        prepared_at=now(),
        mlebench_version=__version__,
    )


def _is_disk_full(error: BaseException | None) -> bool:
    """Whether the cause of an error is a full disk; libraries wrap that error or keep only its text."""
    while error is not None:
        if (isinstance(error, OSError) and error.errno in DISK_FULL) or os.strerror(errno.ENOSPC) in str(error):
            return True
        error = error.__cause__ or error.__context__
    return False


def _copy_linked_files(prepared: Path, progress: Progress) -> None:
    """Replace hard links with clones, or with copies if the file system cannot clone."""
    progress.step(Step.COPY)
    for root, _, names in os.walk(prepared):
        for name in names:
            path = Path(root, name)
            status = path.lstat()
            if status.st_nlink > 1 and not path.is_symlink():
                copy = path.with_name(f".{name}.copy")
                _clone_or_copy(path, copy)
                copy.chmod(status.st_mode & 0o777)
                copy.rename(path)
                progress.advance(status.st_size, 1)


def _clone_or_copy(source: Path, target: Path) -> None:
    with source.open("rb") as old, target.open("xb") as new:
        try:
            fcntl.ioctl(new, FICLONE, old.fileno())
        except OSError as error:
            if error.errno not in NOT_CLONEABLE:
                raise
            shutil.copyfileobj(old, new, 1024 * 1024)
