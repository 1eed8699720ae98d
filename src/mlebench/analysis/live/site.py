"""The addresses of the live site, and what each of them holds; there are no others."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mlebench.analysis.live.progress import find_progress
from mlebench.analysis.page import render_page
from mlebench.analysis.page.dossier import FOLDER, find_run, page_names, render_run
from mlebench.analysis.page.live import render_live, render_trouble
from mlebench.analysis.sources import read_sources
from mlebench.analysis.summary import summarize
from mlebench.errors import MLEBenchError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from mlebench.analysis.report import Summary
    from mlebench.analysis.sources import Sources
    from mlebench.tasks.registry import Registry

FRESH = 2.0
"""Seconds for which a reading of the groups is used again, at least; longer where reading takes long."""
HTML, JSON = "text/html; charset=utf-8", "application/json"


@dataclass(frozen=True, slots=True)
class Answer:
    """What an address holds."""

    status: int
    kind: str
    body: bytes


class Site:
    """The pages about some groups and reports, read anew as they change; may be asked by many threads.

    An address is looked up among those of runs that are known: none is ever taken for a path.
    """

    def __init__(self, names: Sequence[str], runs_dir: Path, registry: Registry | None) -> None:
        self._names, self._runs_dir, self._registry = names, runs_dir, registry
        self._lock = threading.Lock()
        self._read: tuple[Sources, Summary] | None = None
        self._until = 0.0

    def look(self) -> tuple[Sources, Summary]:
        """Return what was read last, or read anew; raises as `read_sources` and `summarize` do."""
        with self._lock:
            began = time.monotonic()
            if self._read is None or began > self._until:
                sources = read_sources(self._names, self._runs_dir)
                summary = summarize(sources.groups, sources.gradings, registry=self._registry, folders=sources.folders)
                self._read = sources, summary
                ended = time.monotonic()
                self._until = ended + max(FRESH, 3 * (ended - began))
            return self._read

    def answer(self, path: str) -> Answer | None:
        """Return what is at an address, None where there is nothing."""
        try:
            sources, summary = self.look()
            if path == "/report.json":
                return Answer(200, JSON, summary.model_dump_json(indent=2).encode())
            names = page_names(summary)
            links = {key: f"{FOLDER}/{name}" for key, name in names.items()}
            if path == "/":
                progress = find_progress(summary, sources)
                return _page(render_live(summary, progress, links, "report.html"))
            if path == "/report.html":
                return _page(render_page(summary, sources.groups, links))
            wanted = next((key for key, name in names.items() if path == f"/{FOLDER}/{name}"), None)
            found = find_run(summary, wanted) if wanted else None
            return _page(render_run(*found)) if found else None
        except MLEBenchError as error:
            return _page(render_trouble(str(error)), 503)


def _page(text: str, status: int = 200) -> Answer:
    # A lone surrogate in a name has no bytes; the page shows a question mark.
    return Answer(status, HTML, text.encode("utf-8", errors="replace"))
