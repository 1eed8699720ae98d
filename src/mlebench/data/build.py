"""Making prepared data of raw data: a folder with the public files, the answers and a manifest, verified."""

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
from mlebench.data.verifying import measure_tables, verified_source
from mlebench.errors import DeclarationError, MLEBenchError, PreparationError
from mlebench.ground.clock import now
from mlebench.ground.files import DISK_FULL, folder_size
from mlebench.ground.version import __version__

if TYPE_CHECKING:
    from mlebench.data.facts import FileFacts
    from mlebench.data.progress import Progress
    from mlebench.data.raw import RawData
    from mlebench.tasks.competition import Competition

FICLONE = 0x40049409
"""Linux' request for a copy that shares its blocks until one of the two is written to."""


def build(
    competition: Competition,
    raw: RawData,
    prepared: Path,
    description: str | None,
    *,
    skip_verification: bool,
    own_bytes: bool,
    progress: Progress,
) -> Manifest:
    """Fill the folder `prepared` from raw data, verify it and write its manifest.

    With `own_bytes`, no prepared file shares its bytes with a raw one.
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
        if _tells_of_a_full_disk(error):  # which says nothing about the raw data
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)) from error
        raise PreparationError(
            f"The raw data of {competition.label} could not be prepared ({type(error).__name__}: {error}); "
            "most likely they are incomplete or not those of this competition."
        ) from error
    if own_bytes:
        unshare(prepared, progress)
    (public / DESCRIPTION).unlink(missing_ok=True)  # it may be another name of a raw file
    (public / DESCRIPTION).write_text(description or competition.description, encoding="utf-8")
    for path in (competition.answers, competition.sample_submission):
        if not (prepared / path.relative_to(competition.prepared_dir)).is_file():
            raise DeclarationError(f"The preparer of {competition.label} did not write {path.name}.")
    facts = measure_tables(prepared, progress)
    source = verified_source(competition, prepared, raw, facts, skip_verification, progress)
    manifest = manifest_of(competition, prepared, source, facts, "kaggle" if description else "brief")
    write_manifest(manifest, prepared)
    return manifest


def manifest_of(
    competition: Competition,
    prepared: Path,
    source: Source,
    facts: dict[str, FileFacts],
    description: Literal["kaggle", "brief"],
) -> Manifest:
    """Return what is to be said of prepared data; on the way, they become readable for the jobs of root."""
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
        tables=facts,
        prepared_at=now(),
        mlebench_version=__version__,
    )


def _tells_of_a_full_disk(error: BaseException | None) -> bool:
    """Say whether an error goes back to a full disk; libraries wrap it, or keep its text alone."""
    while error is not None:
        if (isinstance(error, OSError) and error.errno in DISK_FULL) or os.strerror(errno.ENOSPC) in str(error):
            return True
        error = error.__cause__ or error.__context__
    return False


def unshare(prepared: Path, progress: Progress) -> None:
    """Give files that share their bytes with the raw data bytes of their own: a clone where the disk can, or a copy."""
    progress.step(Step.COPY)
    for root, _, names in os.walk(prepared):
        for name in names:
            path = Path(root, name)
            facts = path.lstat()
            if facts.st_nlink > 1 and not path.is_symlink():
                copy = path.with_name(f".{name}.copy")
                _clone_or_copy(path, copy)
                copy.chmod(facts.st_mode & 0o777)
                copy.rename(path)
                progress.advance(facts.st_size, 1)


def _clone_or_copy(source: Path, target: Path) -> None:
    with source.open("rb") as old, target.open("xb") as new:
        try:
            fcntl.ioctl(new, FICLONE, old.fileno())
        except OSError as error:
            if error.errno not in (errno.EOPNOTSUPP, errno.ENOTTY, errno.EXDEV, errno.EINVAL, errno.ENOSYS):
                raise
            shutil.copyfileobj(old, new, 1024 * 1024)
