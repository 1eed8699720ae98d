"""A report on run groups and grading reports: as objects, data frames, tables in any format, and files."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from mlebench.analysis.facts import read_labels
from mlebench.analysis.page import render_page
from mlebench.analysis.page.curves import plot_files
from mlebench.analysis.page.run import FOLDER, find_run, name_run_pages, render_run
from mlebench.analysis.sources import as_sources, read_sources
from mlebench.analysis.summary import summarize
from mlebench.analysis.tables import TABLES
from mlebench.analysis.tables.formats import FORMATS, Format
from mlebench.errors import UnknownNameError, UsageError
from mlebench.ground.files import write_atomically
from mlebench.ground.wording import count
from mlebench.tasks.registry import Registry

if TYPE_CHECKING:
    import os
    from collections.abc import Collection, Iterable

    import pandas as pd

    from mlebench.analysis.model import Summary
    from mlebench.analysis.sources import Source, Sources
    from mlebench.analysis.tables import AnyTable

PAGE = "report.html"
SUMMARY = "report.json"
MAX_RUN_PAGES = 1000
"""Runs up to which `Report.write` writes a page for each by default."""


def report(
    sources: Source | Iterable[Source],
    *,
    runs_dir: str | os.PathLike[str] = "runs",
    split: str | None = None,
    pad_missing: bool = False,
    group_by: str | None = None,
    labels: str | os.PathLike[str] | None = None,
    without: str | Collection[str] = (),
    registry: Registry | None = None,
) -> Report:
    """Report on run groups and grading reports.

    Nothing is written; call `Report.write` for that.

    Parameters
    ----------
    sources : str, path, Group, or several of them
        A run group: its name below `runs_dir`, its folder, or the object. Grading reports of any harness: a file, or
        a folder with one report per seed. `NAME=SOURCE` renames the agent.
    runs_dir : str or path
        Folder of run groups.
    split : str, optional
        Count only the competitions of this split.
    pad_missing : bool
        Count missing runs as failures. If not, seeds with missing runs are left out.
    group_by : str, optional
        A field of `run.json` or `metadata.json`, such as `profile`: runs of an agent with different values become
        different agents.
    labels : str or path, optional
        A CSV file with your own categories: columns `competition_id` and `category`.
    without : str or collection of str
        Kinds of known problems, such as `leak,split`: competitions that have one are left out, and the report says so.
    registry : Registry, optional
        Where competitions are looked up; by default the built-in ones.

    Returns
    -------
    Report

    Raises
    ------
    ReportError
        A source does not exist, or a file is damaged.
    UsageError
        There is no such split, field or kind of problem.

    Examples
    --------
    >>> report = mlebench.report("my-group")  # doctest: +SKIP
    >>> report.to_frame("main")[["agent", "any_medal", "any_medal_sem"]]  # doctest: +SKIP
    >>> report.write()  # doctest: +SKIP
    PosixPath('runs/my-group/report.html')
    """
    registry = registry or Registry()
    found = read_sources(as_sources(sources), Path(runs_dir))
    summary = summarize(
        found,
        registry=registry,
        competitions=registry.get_split(split) if split else None,
        pad_missing=pad_missing,
        group_by=group_by,
        categories=read_labels(Path(labels)) if labels else None,
        without=[kind.strip() for kind in without.split(",")] if isinstance(without, str) else without,
    )
    return Report(found, summary)


def require_table(name: str) -> None:
    """Raise UnknownNameError if there is no table of that name."""
    if name not in TABLES:
        raise UnknownNameError("table", name, list(TABLES))


@dataclass(frozen=True)
class Report:
    """A report on run groups and grading reports."""

    sources: Sources
    """The groups and grading reports."""
    summary: Summary
    """The content of `report.json`."""

    def __repr__(self) -> str:
        return f"<Report: {count(self.summary.agents, 'agent')}, {count(self.summary.runs, 'run')}>"

    @functools.cached_property
    def tables(self) -> dict[str, AnyTable]:
        """All tables, by name: `main`, `intervals`, `competitions`, `runs` and so on."""
        return {name: make(self.summary) for name, make in TABLES.items()}

    def table(self, name: str) -> AnyTable:
        """Return a table by its name; UnknownNameError if there is none."""
        require_table(name)
        return self.tables[name]

    def to_frame(self, table: str | None = None) -> pd.DataFrame:
        """Return a table, or all runs, as a data frame.

        Parameters
        ----------
        table : str, optional
            Name of a table. Standard errors have their own columns, `NAME_sem`.

        Returns
        -------
        pandas.DataFrame
            The table; without a name, one row per run with all fields of `RunResult`.
        """
        import pandas as pd

        if table is not None:
            return self.table(table).to_frame()
        return pd.DataFrame([run.model_dump() for run in self.summary.all_runs()])

    def render(self, format: str, table: str = "main") -> str:
        """Return the report as text.

        Parameters
        ----------
        format : {"html", "markdown", "latex", "csv", "json"}
            `html` is the whole page; the others are the format of one table.
        table : str
            Name of the table.

        Raises
        ------
        UnknownNameError
            There is no such format or table.
        """
        if format == "html":
            return render_page(self.summary, self.sources.groups)
        if format not in FORMATS:
            raise UnknownNameError("format", format, ["html", *FORMATS])
        return FORMATS[Format(format)](self.table(table))

    def to_json(self) -> str:
        """Return the content of `report.json`."""
        return self.summary.model_dump_json(indent=2)

    @property
    def default_folder(self) -> Path | None:
        """The folder of the first group, which `write` writes to by default; None without groups."""
        return self.sources.groups[0].folder if self.sources.groups else None

    def write(self, folder: str | os.PathLike[str] | None = None, *, run_pages: bool | None = None) -> Path:
        """Write `report.json`, `report.html`, and a folder with plots and a page for each run.

        Parameters
        ----------
        folder : str or path, optional
            Where to write; by default the folder of the first group.
        run_pages : bool, optional
            Whether to write pages of runs; by default for up to 1000 runs.

        Returns
        -------
        Path
            The page, `report.html`.

        Raises
        ------
        UsageError
            No folder is given, and the sources contain no group.
        """
        target = Path(folder) if folder is not None else self.default_folder
        if target is None:
            raise UsageError("A report on grading reports has no folder of its own. Name one.")
        files = target / FOLDER
        files.mkdir(parents=True, exist_ok=True)
        write_atomically(target / SUMMARY, self.to_json() + "\n")
        for name, plot in plot_files(self.summary).items():
            _write_text(files / name, plot)
        wants_pages = self.summary.runs <= MAX_RUN_PAGES if run_pages is None else run_pages
        names = name_run_pages(self.summary) if wants_pages else {}
        for key, name in names.items():
            if found := find_run(self.summary, key):
                _write_text(files / name, render_run(*found))
        links = {key: f"{FOLDER}/{name}" for key, name in names.items()}
        write_atomically(target / PAGE, render_page(self.summary, self.sources.groups, links))
        return target / PAGE


def _write_text(path: Path, text: str) -> None:
    """Write a file; a lone surrogate in a name becomes a question mark."""
    path.write_bytes(text.encode("utf-8", errors="replace"))
