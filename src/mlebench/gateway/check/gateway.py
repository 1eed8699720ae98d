"""The submission check of all runs of a harness."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from mlebench.gateway.check.quota import CheckLimits
from mlebench.gateway.check.server import CheckServer
from mlebench.grading.intake import size_allowed
from mlebench.ground.turns import Turns

if TYPE_CHECKING:
    from pathlib import Path

    from mlebench.grading.pool import GradingPool
    from mlebench.sandbox.base import EventSink
    from mlebench.tasks.competition import Competition

GiB = 1024**3
MAX_BYTES_IN_FLIGHT = 2 * GiB
"""Uploads of all runs that are on disk at the same time. A larger one waits until it is the only one."""


class CheckGateway:
    """Serves the submission check to runs, which share its workers and the disk for uploads.

    Parameters
    ----------
    pool : GradingPool
        Checks what agents upload.
    """

    def __init__(self, pool: GradingPool) -> None:
        self._pool = pool
        self._space = Turns(MAX_BYTES_IN_FLIGHT)

    def serve_run(self, socket_path: Path, competition: Competition, *, events: EventSink) -> CheckServer:
        """Return the server of one run.

        Parameters
        ----------
        socket_path
            The Unix socket to listen on. Uploads are kept in its folder until they are checked.
        competition
            The task of the run.
        events
            Receives the run's events.
        """
        bounds = self._pool.bounds_of_check(competition)
        max_bytes = min(size_allowed(competition.sample_submission), bounds.memory // 4)  # parsing takes far more
        limits = CheckLimits(seconds=4.0 * (bounds.cpu_seconds or bounds.seconds))
        return CheckServer(
            socket_path,
            lambda path: self._pool.measured_check(path, competition),
            events=events,
            max_bytes=max_bytes,
            limits=replace(limits, bytes=max(limits.bytes, 1000 * max_bytes)),
            space=self._space,
        )
