"""The whole tree: package, experiments, environment, runs; for programs that read a checkout instead of calling one."""

from __future__ import annotations

import csv
import io
import os
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from mlebench.errors import UsageError
from mlebench.export.core import ARCHIVE, core_archive, renamed
from mlebench.export.folders import write_competition
from mlebench.export.templates import TEMPLATES, text_of
from mlebench.ground.version import __version__
from mlebench.tasks.registry import PACKAGE, SPLITS_DIR

if TYPE_CHECKING:
    from collections.abc import Callable

    from mlebench.tasks.competition import Competition
    from mlebench.tasks.registry import Registry

CHECK_SCRIPT = PACKAGE / "gateway" / "tools" / "validate_submission.sh"
CATEGORY_COLUMNS = ("competition_id", "category", "Complexity", "dataset_size_GB")


def export_reference_tree(
    registry: Registry, target: Path, progress: Callable[[str], object] = lambda competition_id: None
) -> list[str]:
    """Write the tree of all competitions but the embedded ones into `target`; return their ids.

    `target` may be an empty folder; UsageError if anything is in it. The tree is made aside and appears in one step.
    Embedded competitions are left out, since the tree's form has no place for code that makes raw data.
    """
    target = Path(target).absolute()
    _refuse_what_is_there(target)
    competitions = [
        competition
        for competition in map(registry.get_competition, registry.list_competition_ids())
        if not competition.is_embedded
    ]
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f".{target.name}.", dir=target.parent) as scratch:
        tree = Path(scratch) / "tree"
        shutil.copytree(TEMPLATES, tree, ignore=_not_of_the_tree)
        for module in (tree / "mlebench").rglob("*.py"):
            module.write_text(renamed(text_of(module)), encoding="utf-8")
        _write_competitions(competitions, tree / "mlebench" / "competitions", progress)
        _write_experiments(competitions, tree / "experiments")
        _write_rest(tree)
        try:
            tree.rename(target)
        except OSError:
            _refuse_what_is_there(target)  # somebody was faster
            raise
    return [competition.id for competition in competitions]


def _refuse_what_is_there(target: Path) -> None:
    if target.is_symlink() or (target.exists() and not (target.is_dir() and not any(target.iterdir()))):
        raise UsageError(f"There is something at {target} already; name a folder that is empty or not there.")


def _not_of_the_tree(folder: str, names: list[str]) -> list[str]:
    top = ("__init__.py", "core", "project.toml") if Path(folder) == TEMPLATES else ()
    return [name for name in names if name == "__pycache__" or name in top]


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
            _share(first, archive)
        progress(competition.id)


def _share(source: Path, target: Path) -> None:
    """Give a file a second name, or a copy where the disk knows no such thing."""
    try:
        os.link(source, target)
    except OSError:
        shutil.copyfile(source, target)


def _write_experiments(competitions: list[Competition], place: Path) -> None:
    """Write the splits, as far as their competitions are in the tree, and the table of categories."""
    there = {competition.id for competition in competitions}
    (place / "splits").mkdir()
    for path in SPLITS_DIR.glob("*.txt"):
        ids = [name for name in path.read_text(encoding="utf-8").split() if name in there]
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
    project = text_of(TEMPLATES / "project.toml").replace("@VERSION@", __version__)
    (tree / "pyproject.toml").write_text(project, encoding="utf-8")
    (tree / "runs").mkdir()
    (tree / "runs" / "run_group_experiments.csv").write_text("experiment_id,run_group\n", encoding="utf-8")
