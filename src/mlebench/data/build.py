"""Build prepared data from raw data: the public files, the answers and a verified manifest."""

from __future__ import annotations

import errno
import os
import shutil
from typing import TYPE_CHECKING, Literal

from mlebench.data.manifest import DESCRIPTION, Manifest, Source, write_manifest
from mlebench.data.neutral import copy_neutrally
from mlebench.data.progress import Step
from mlebench.data.raw import rehearsal_digest
from mlebench.data.verifying import determine_source, summarize_tables
from mlebench.errors import DeclarationError, MLEBenchError, PreparationError
from mlebench.ground.clock import now
from mlebench.ground.files import DISK_FULL, folder_size
from mlebench.ground.version import __version__

if TYPE_CHECKING:
    from pathlib import Path

    from mlebench.data.progress import Progress
    from mlebench.data.raw import RawData
    from mlebench.data.summaries import FileSummary
    from mlebench.tasks.competition import Competition


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
        Share no bytes with the raw data.
    progress
        Receives the steps.

    Raises
    ------
    PreparationError
        The preparer fails, or the files differ from the record (ChecksumError).
    DeclarationError
        The preparer does not write the answers or the sample submission.
    """
    made = prepared / "made"
    public, private = made / "public", made / "private"
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
    (public / DESCRIPTION).unlink(missing_ok=True)  # it may be a hard link to a raw file
    (public / DESCRIPTION).write_text(description or competition.description, encoding="utf-8")
    for folder in (public, private):
        copy_neutrally(folder, prepared / folder.name, progress, copy_linked=copy_linked)
    shutil.rmtree(made)
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
