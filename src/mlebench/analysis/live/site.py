"""The addresses of the site and their content; there are no others."""

from __future__ import annotations

import logging
import threading
import time
from dataclasses import dataclass
from http import HTTPStatus
from typing import TYPE_CHECKING

from mlebench.analysis.live.progress import find_progress
from mlebench.analysis.page import render_page
from mlebench.analysis.page.live import render_error, render_live
from mlebench.analysis.page.run import FOLDER, find_run, name_run_pages, render_run
from mlebench.analysis.sources import read_sources
from mlebench.analysis.summary import summarize
from mlebench.errors import MLEBenchError
from mlebench.ground.wording import printable

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from mlebench.analysis.model import Summary
    from mlebench.analysis.sources import Source, Sources
    from mlebench.tasks.registry import Registry

logger = logging.getLogger(__name__)

MIN_AGE = 2.0
"""Seconds for which sources that were read are used again; longer if reading takes long."""
HTML, JSON = "text/html; charset=utf-8", "application/json"


@dataclass(frozen=True, slots=True)
class Response:
    """The content of an address."""

    status: int
    content_type: str
    body: bytes


class Site:
    """The pages about some sources, which are read again as they change; thread-safe.

    An address is looked up among those of known runs, and never used as a path.
    """

    def __init__(self, names: Sequence[Source], runs_dir: Path, registry: Registry | None) -> None:
        self._names, self._runs_dir, self._registry = names, runs_dir, registry
        self._lock = threading.Lock()
        self._last: tuple[Sources, Summary] | None = None
        self._expires = 0.0

    def read(self) -> tuple[Sources, Summary]:
        """Return the sources and their summary, at most a few seconds old.

        Raises
        ------
        ReportError
            A source does not exist or is damaged.
        """
        with self._lock:
            start = time.monotonic()
            if self._last is None or start > self._expires:
                sources = read_sources(self._names, self._runs_dir)
                self._last = sources, summarize(sources, registry=self._registry)
                end = time.monotonic()
                self._expires = end + max(MIN_AGE, 3 * (end - start))
            return self._last

    def respond(self, path: str) -> Response | None:
        """Return the content of an address; None if there is nothing."""
        try:
            sources, summary = self.read()
            if path == "/report.json":
                return Response(HTTPStatus.OK, JSON, summary.model_dump_json(indent=2).encode())
            names = name_run_pages(summary)
            links = {key: f"{FOLDER}/{name}" for key, name in names.items()}
            if path == "/":
                return _page(render_live(summary, find_progress(summary, sources), links, "report.html"))
            if path == "/report.html":
                return _page(render_page(summary, sources.groups, links))
            key = next((key for key, name in names.items() if path == f"/{FOLDER}/{name}"), None)
            found = find_run(summary, key) if key else None
            return _page(render_run(*found)) if found else None
        except MLEBenchError as error:
            return _page(render_error(str(error)), HTTPStatus.SERVICE_UNAVAILABLE)
        except Exception as error:
            logger.exception("The page %s cannot be made.", path)
            text = printable(f"This page cannot be made: {error!r}.", limit=500)
            return _page(render_error(text), HTTPStatus.INTERNAL_SERVER_ERROR)


def _page(text: str, status: int = HTTPStatus.OK) -> Response:
    # A lone surrogate in a name cannot be encoded; the page shows a question mark.
    return Response(status, HTML, text.encode("utf-8", errors="replace"))
