"""What a report is made from: run groups of ours, grading reports of anybody's."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from mlebench.analysis.gradings import GradingReport, find_gradings, read_grading
from mlebench.runs.reader import METADATA, read_group

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mlebench.runs.record import GroupRecord


@dataclass(frozen=True, slots=True)
class Sources:
    """Groups and reports, in the order in which they were named."""

    groups: tuple[GroupRecord, ...] = ()
    gradings: tuple[GradingReport, ...] = ()
    folders: tuple[Path, ...] = ()
    """Those of the groups."""


def read_sources(names: Iterable[str], runs_dir: Path = Path()) -> Sources:
    """Read what is to be reported on, each once.

    Parameters
    ----------
    names : iterable of str
        Run groups (a folder, by its name below `runs_dir` or by a path, or its `metadata.json`) and grading reports
        (a file, or a folder with any number of them, one seed each). `NAME=PATH` gives a group's agents or a report's
        agent another name, so that one agent in two groups stays two.

    Raises
    ------
    ReportError
        If there is nothing of that name, or if a file is damaged.
    """
    groups: dict[Path, GroupRecord] = {}
    gradings: dict[Path, GradingReport] = {}
    for name in names:
        alias, path = _named(name, runs_dir)
        if path.is_dir() and not (path / METADATA).is_file() and (files := find_gradings(path)):
            for file in files:
                gradings.setdefault(file.resolve(), read_grading(file, alias or path.resolve().name))
        elif path.is_file() and path.name != METADATA:
            gradings.setdefault(path.resolve(), read_grading(path, alias or path.resolve().parent.name))
        else:
            group = read_group(path)
            groups.setdefault(group.folder.resolve(), _renamed(group.record, alias) if alias else group.record)
    return Sources(tuple(groups.values()), tuple(gradings.values()), tuple(groups))


def _named(name: str, runs_dir: Path) -> tuple[str, Path]:
    """Return another name, if one is given, and the path."""
    for alias, path in (("", name), tuple(name.split("=", 1)) if "=" in name else ("", name)):
        for found in (runs_dir / path, Path(path)):
            if found.exists():
                return alias, found
    return "", Path(name)


def _renamed(group: GroupRecord, alias: str) -> GroupRecord:
    """Return a group with its agents called otherwise: by the alias alone if there is only one."""
    several = len(group.plan.agents) > 1
    called = {agent: f"{alias}: {agent}" if several else alias for agent in group.plan.agents}
    runs = {key: run.model_copy(update={"agent": called.get(run.agent, alias)}) for key, run in group.runs.items()}
    plan = group.plan.model_copy(update={"agents": tuple(called.values())})
    return group.model_copy(update={"runs": runs, "plan": plan})
