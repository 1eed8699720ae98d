"""Neutral public files: inode numbers, times and the order of entries in a folder depend on names alone.

An agent sees these metadata of its data in every sandbox. If files were written class by class, they would tell the
labels. Files that were unpacked in random order stay hard links to the raw data (see `ground/neutral.py`); all
others are copied in the order of their new names.
"""

from __future__ import annotations

import errno
import fcntl
import os
import random
import shutil
import stat
from collections import Counter
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from mlebench.data.manifest import read_manifest_in, write_manifest
from mlebench.data.progress import Step
from mlebench.errors import NotPreparedError
from mlebench.ground.neutral import is_marked, mark_neutral

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mlebench.data.manifest import Manifest
    from mlebench.data.progress import Progress
    from mlebench.tasks.competition import Competition

FEW = 30
"""A preparer that writes fewer files of a kind names each of them in its code, so that their order tells nothing."""
FICLONE = 0x40049409
"""Linux' ioctl for a clone: a copy that shares its blocks until one of the two is changed."""
NOT_CLONEABLE = (errno.EOPNOTSUPP, errno.ENOTTY, errno.EXDEV, errno.EINVAL, errno.ENOSYS)
"""Error numbers of a file system that cannot clone."""


def copy_neutrally(source: Path, target: Path, progress: Progress, *, copy_linked: bool = False) -> None:
    """Make a folder with the files of another one, whose metadata depend on names alone; call `stamp` at the end.

    Files that were neutral already become hard links, as does what a preparer wrote by name. All others are copied.

    Parameters
    ----------
    source, target : Path
        Two folders on one file system. The second must not exist.
    progress : Progress
        Receives the step `copy` if files are copied.
    copy_linked : bool
        Also copy neutral files that have other hard links.
    """
    written = Counter(
        _suffix(name) for root, names in _walk(source) for name in names if _is_written(os.lstat(f"{root}/{name}"))
    )
    copies = 0
    for root, names in _walk(source):
        place = f"{target}{root.removeprefix(str(source))}"
        Path(place).mkdir()
        for name in names:
            path, new_path = f"{root}/{name}", f"{place}/{name}"
            status = os.lstat(path)
            is_foreign = status.st_nlink > 1 and (copy_linked or not is_marked(status))
            is_item = _is_written(status) and written[_suffix(name)] >= FEW
            if stat.S_ISREG(status.st_mode) and (is_foreign or is_item):
                if not copies:
                    progress.step(Step.COPY)
                copies += 1
                _clone_or_copy(path, new_path)
                progress.advance(status.st_size, 1)
            else:
                os.link(path, new_path, follow_symlinks=False)


def stamp(folder: Path) -> None:
    """Give all files and folders one time, in the order of their names, which the times of their changes follow.

    Linking and unlinking a file, and changing its mode, move the time of its change. So call this last; a folder may
    be in use meanwhile.
    """
    folders = []
    for root, names in _walk(folder):
        for name in names:
            mark_neutral(f"{root}/{name}")
        folders.append(root)
    for root in reversed(folders):
        mark_neutral(root)


def is_placed(folder: Path, sample: int = 500) -> bool:
    """Return whether the files of a folder were placed neutrally, by a random sample of them."""
    return all(map(is_marked, _sample(folder, sample)))


def is_stamped(folder: Path, sample: int = 500) -> bool:
    """Return whether neutral files have not changed since the stamp, by a random sample of them."""
    found = _sample(folder, sample)
    changes = [status.st_ctime_ns for status in found]
    return all(map(is_marked, found)) and changes == sorted(changes)


def require_neutral(competition: Competition) -> None:
    """Raise NotPreparedError if the metadata of a competition's public files may tell labels.

    If only the times of changes are in disorder, since someone has removed the raw data, they are put in order.
    """
    prepared = competition.prepared_dir
    if not is_placed(prepared / "public"):
        raise NotPreparedError(
            f"The order of the files in {prepared} may tell labels, since another program or an earlier version "
            f"prepared them. Run: mlebench prepare -c {competition.label}"
        )
    if not is_settled(prepared):
        settle(prepared)


def is_settled(prepared: Path) -> bool:
    """Return whether the public files of prepared data are neutral, by their manifest and a sample of them."""
    manifest = read_manifest_in(prepared)
    return (manifest is None or manifest.neutral) and is_stamped(prepared / "public")


def settle(prepared: Path) -> Manifest | None:
    """Stamp the public files of prepared data, and say so in their manifest; return it if there is one.

    Raises
    ------
    NotPreparedError
        The files belong to another user.
    """
    try:
        stamp(prepared / "public")
        return _set_neutral(prepared, True)
    except OSError as error:
        if error.errno not in (errno.EPERM, errno.EACCES, errno.EROFS):
            raise
        raise NotPreparedError(
            f"The times of the files in {prepared} may tell labels, and you may not change them. "
            "Ask the owner to run mlebench prepare."
        ) from None


@contextmanager
def unsettled(prepared: Path) -> Iterator[None]:
    """Settle prepared data after the block, which may remove other links to their files.

    If the process is killed meanwhile, the manifest says that the files are not neutral.
    """
    _set_neutral(prepared, False)
    yield
    settle(prepared)


def _set_neutral(prepared: Path, value: bool) -> Manifest | None:
    manifest = read_manifest_in(prepared)
    if manifest is not None and manifest.neutral is not value:
        manifest = manifest.model_copy(update={"neutral": value})
        write_manifest(manifest, prepared)
    return manifest


def _is_written(status: os.stat_result) -> bool:
    """Return whether the preparer wrote a file itself, in an order of its own."""
    return status.st_nlink == 1 and not is_marked(status)


def _sample(folder: Path, number: int) -> list[os.stat_result]:
    """Return the metadata of files drawn at random, in the order of their names."""
    paths = [f"{root}/{name}" for root, names in _walk(folder) for name in names]
    drawn = sorted(random.sample(range(len(paths)), min(number, len(paths))))
    return [os.lstat(paths[each]) for each in drawn]


def _suffix(name: str) -> str:
    return name.rpartition(".")[2]


def _walk(folder: Path) -> Iterator[tuple[str, list[str]]]:
    """Yield each folder and the names of its files, in an order that depends on names alone."""
    for root, folders, names in os.walk(folder):
        folders.sort()
        yield root, sorted(names)


def _clone_or_copy(source: str, target: str) -> None:
    with Path(source).open("rb") as old, Path(target).open("xb") as new:
        try:
            fcntl.ioctl(new, FICLONE, old.fileno())
        except OSError as error:
            if error.errno not in NOT_CLONEABLE:
                raise
            shutil.copyfileobj(old, new, 1024 * 1024)
