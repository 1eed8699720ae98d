"""What a report is made from: run groups, and grading reports of any harness."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from mlebench.analysis.grading_reports import GradingReport, find_grading_reports, read_grading_report
from mlebench.runs.layout import METADATA
from mlebench.runs.reader import Group, read_group

if TYPE_CHECKING:
    from collections.abc import Iterable

Source = str | os.PathLike[str] | Group


@dataclass(frozen=True, slots=True)
class Sources:
    """Run groups and grading reports, in the order in which they were named."""

    groups: tuple[Group, ...] = ()
    reports: tuple[GradingReport, ...] = ()


def as_sources(sources: Source | Iterable[Source]) -> list[Source]:
    """Return one or several sources as a list."""
    return [sources] if isinstance(sources, str | os.PathLike | Group) else list(sources)


def read_sources(sources: Iterable[Source], runs_dir: Path = Path()) -> Sources:
    """Read run groups and grading reports, each once.

    Parameters
    ----------
    sources : iterable of str, path or Group
        A run group: its name below `runs_dir`, its folder, or its `metadata.json`. Grading reports: a file, or a
        folder with any number of them, one seed each. `NAME=SOURCE` renames the agent, so that the same agent in two
        groups can be compared.
    runs_dir : Path
        Folder of run groups.

    Raises
    ------
    ReportError
        There is no such source, or a file is damaged.
    """
    groups: dict[Path, Group] = {}
    reports: dict[Path, GradingReport] = {}
    for source in sources:
        if isinstance(source, Group):
            groups.setdefault(source.folder.resolve(), source)
            continue
        alias, path = _resolve(os.fspath(source), runs_dir)
        if path.is_dir() and not (path / METADATA).is_file() and (files := find_grading_reports(path)):
            for file in files:
                reports.setdefault(file.resolve(), read_grading_report(file, alias or path.resolve().name))
        elif path.is_file() and path.name != METADATA:
            reports.setdefault(path.resolve(), read_grading_report(path, alias or path.resolve().parent.name))
        else:
            group = read_group(path)
            groups.setdefault(group.folder.resolve(), _rename_agents(group, alias) if alias else group)
    return Sources(tuple(groups.values()), tuple(reports.values()))


class _Resolved(NamedTuple):
    alias: str
    """The agent's other name; empty if there is none."""
    path: Path


def _resolve(source: str, runs_dir: Path) -> _Resolved:
    candidates = [_Resolved("", Path(source))]
    if "=" in source:
        alias, path = source.split("=", 1)
        candidates.append(_Resolved(alias, Path(path)))
    for alias, relative in candidates:
        for found in (runs_dir / relative, relative):
            if found.exists():
                return _Resolved(alias, found)
    return candidates[0]


def _rename_agents(group: Group, alias: str) -> Group:
    """Return a group whose agent has another name; if there are several, the alias is a prefix."""
    record = group.record
    several = len(record.plan.agents) > 1
    names = {agent: f"{alias}: {agent}" if several else alias for agent in record.plan.agents}
    runs = {key: run.model_copy(update={"agent": names.get(run.agent, alias)}) for key, run in record.runs.items()}
    plan = record.plan.model_copy(update={"agents": tuple(names.values())})
    return replace(group, record=record.model_copy(update={"runs": runs, "plan": plan}))
