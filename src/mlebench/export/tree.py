"""Export all tasks as a source tree, for programs that read a checkout of the reference and call no package."""

from __future__ import annotations

import csv
import io
import os
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from mlebench.errors import DiskFullError, UsageError
from mlebench.export.core import ARCHIVE, core_archive, rename_imports
from mlebench.export.folders import write_competition
from mlebench.export.templates import TEMPLATES, read_template
from mlebench.ground.files import DISK_FULL
from mlebench.ground.version import __version__
from mlebench.tasks.registry import PACKAGE, SPLITS_DIR
from mlebench.tasks.registry import registry as default_registry

if TYPE_CHECKING:
    from collections.abc import Callable

    from mlebench.tasks.competition import Competition
    from mlebench.tasks.registry import Registry

CHECK_SCRIPT = PACKAGE / "gateway" / "tools" / "validate_submission.sh"
CATEGORY_COLUMNS = ("competition_id", "category", "Complexity", "dataset_size_GB")
TREE_FOLDERS = ("environment", "experiments", "mlebench")
"""The folders of templates that are folders of the tree."""


def export_reference_tree(
    target: Path,
    *,
    registry: Registry | None = None,
    progress: Callable[[str], object] = lambda competition_id: None,
) -> list[str]:
    """Write the tree of all competitions except the embedded ones, and return their ids.

    The tree is written aside and moved into place in one step, so a failure leaves nothing. Embedded competitions are
    left out, since the tree has no place for code that makes raw data.

    Parameters
    ----------
    target : Path
        The folder to write: it must be empty, or not exist.
    registry : Registry, optional
        The competitions to export, in version v1; by default the built-in ones and those of plugins.
    progress : callable, optional
        Called with the id of each competition after it is written.

    Raises
    ------
    UsageError
        `target` is a file, a link, or a folder that is not empty.
    DiskFullError
        The disk has no room for the tree.
    """
    registry = registry or default_registry
    target = Path(target).absolute()
    _require_empty(target)
    competitions = [
        competition
        for competition in map(registry.get_competition, registry.list_competition_ids())
        if not competition.is_embedded
    ]
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=f".{target.name}.", dir=target.parent) as scratch:
            tree = Path(scratch) / "tree"
            _write_templates(tree)
            _write_competitions(competitions, tree / "mlebench" / "competitions", progress)
            _write_experiments(competitions, tree / "experiments")
            _write_rest(tree)
            try:
                tree.rename(target)
            except OSError:
                _require_empty(target)  # another process has written to it meanwhile
                raise
    except OSError as error:
        if error.errno not in DISK_FULL:
            raise
        raise DiskFullError(
            f"The disk of {target.parent} is full, and nothing was exported; make room or name another folder, then "
            "run the command again."
        ) from error
    return [competition.id for competition in competitions]


def _require_empty(target: Path) -> None:
    if target.is_symlink() or (target.exists() and not (target.is_dir() and not any(target.iterdir()))):
        raise UsageError(f"{target} exists already; name a folder that is empty or does not exist.")


def _write_templates(tree: Path) -> None:
    tree.mkdir()
    shutil.copyfile(TEMPLATES / "README.md", tree / "README.md")
    for source in (path for folder in TREE_FOLDERS for path in sorted((TEMPLATES / folder).rglob("*"))):
        path = tree / source.relative_to(TEMPLATES)
        if not source.is_file() or "__pycache__" in source.parts:
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        if source.suffix == ".py" and source.is_relative_to(TEMPLATES / "mlebench"):
            path.write_text(rename_imports(read_template(source)), encoding="utf-8")
        else:
            shutil.copy(source, path)


def _write_competitions(competitions: list[Competition], place: Path, progress: Callable[[str], object]) -> None:
    code, first = core_archive(), None
    for competition in competitions:
        folder = place / competition.id
        write_competition(competition, folder)
        archive = folder / ARCHIVE
        if first is None:
            archive.write_bytes(code)
            first = archive
        else:
            _link_or_copy(first, archive)
        progress(competition.id)


def _link_or_copy(source: Path, target: Path) -> None:
    """Make a hard link to a file, or a copy where the file system has no hard links."""
    try:
        os.link(source, target)
    except OSError:
        shutil.copyfile(source, target)


def _write_experiments(competitions: list[Competition], place: Path) -> None:
    """Write the splits, without competitions that are not in the tree, and the table of categories."""
    exported = {competition.id for competition in competitions}
    (place / "splits").mkdir()
    for path in SPLITS_DIR.glob("*.txt"):
        ids = [name for name in path.read_text(encoding="utf-8").split() if name in exported]
        if ids:
            (place / "splits" / path.name).write_text("".join(f"{name}\n" for name in ids), encoding="utf-8")
    out = io.StringIO()
    table = csv.writer(out, lineterminator="\n")
    table.writerow(CATEGORY_COLUMNS)
    for competition in competitions:
        declared = competition.declaration
        assert declared is not None
        complexity = (declared.complexity or "").capitalize()
        size = "" if declared.size_gb is None else declared.size_gb
        table.writerow((declared.id, declared.category, complexity, size))
    (place / "competition_categories.csv").write_text(out.getvalue(), encoding="utf-8")


def _write_rest(tree: Path) -> None:
    shutil.copy(CHECK_SCRIPT, tree / "environment" / CHECK_SCRIPT.name)
    (tree / "environment" / "entrypoint.sh").chmod(0o755)
    (tree / "environment" / CHECK_SCRIPT.name).chmod(0o755)
    project = read_template(TEMPLATES / "project.toml").replace("@VERSION@", __version__)
    (tree / "pyproject.toml").write_text(project, encoding="utf-8")
    (tree / "runs").mkdir()
    (tree / "runs" / "run_group_experiments.csv").write_text("experiment_id,run_group\n", encoding="utf-8")
