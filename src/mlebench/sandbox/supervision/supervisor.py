"""Starts a job, watches it to its end, and leaves none of its processes alive."""

from __future__ import annotations

import os
import selectors
import subprocess
import time
from contextlib import ExitStack
from typing import TYPE_CHECKING

from mlebench.sandbox.ending import Cause, Ending, Reason
from mlebench.sandbox.kernel.cgroup import name_enforcement
from mlebench.sandbox.supervision.conclusion import conclude
from mlebench.sandbox.supervision.launch import on_processors
from mlebench.sandbox.supervision.limit_checks import ExceededLimit, is_time_up, is_warning_due
from mlebench.sandbox.supervision.monitor import LimitMonitor
from mlebench.sandbox.supervision.output import Output
from mlebench.sandbox.supervision.session import Session
from mlebench.sandbox.supervision.termination import Termination
from mlebench.sandbox.time_warning import write_time_warning

if TYPE_CHECKING:
    from mlebench.sandbox.base import EventSink
    from mlebench.sandbox.job import Job
    from mlebench.sandbox.limits import Limits
    from mlebench.sandbox.stop import StopSignal
    from mlebench.sandbox.supervision.launch import Launch

_TICK_SECONDS = 0.1
_START_SECONDS = 300.0
"""How long a sandbox may take to start the job's command; a container engine on a busy machine needs minutes."""


def supervise(launch: Launch, job: Job, limits: Limits, *, stop: StopSignal, events: EventSink) -> Ending:
    """Start a job and watch it to its end; return when none of its processes is left.

    Parameters
    ----------
    launch : Launch
        What to start. Its descriptors, channel and processes are closed at the end.
    job, limits, stop, events
        As for `Sandbox.run`.
    """
    with ExitStack() as stack:
        for descriptor in launch.descriptors:
            stack.callback(os.close, descriptor)
        stack.callback(launch.channel.close)
        stack.callback(launch.processes.close)
        output = stack.enter_context(Output(job.log, limits.log))
        supervisor = _Supervisor(launch, job, limits, output, stop, events)
        stack.callback(supervisor.close)
        enforcement = name_enforcement(by_kernel=supervisor.kernel_enforces)
        events("started", sandbox=launch.sandbox, enforcement=enforcement, disk=supervisor.disk, **launch.facts)
        try:
            process = supervisor.start()
            cause = supervisor.wait(process) or supervisor.explain_end()
        finally:
            is_clean = supervisor.kill()
        ending = supervisor.conclude(process.returncode, cause, is_clean=is_clean)
        events(
            "ended",
            reason=ending.reason.value,
            exit_code=ending.exit_code,
            seconds=round(ending.seconds, 3),
            peak_memory=ending.peak_memory,
            output=output.kept,
            dropped=output.dropped,
        )
        return ending


class _Supervisor:
    """Watches the processes of one job."""

    def __init__(
        self,
        launch: Launch,
        job: Job,
        limits: Limits,
        output: Output,
        stop: StopSignal,
        events: EventSink,
    ) -> None:
        group = launch.group
        self.kernel_enforces = group is not None or launch.engine_enforces
        self._launch, self._job, self._limits = launch, job, limits
        self._group, self._output, self._stop, self._events = group, output, stop, events
        self._session = Session(launch.channel, job, launch.processes, events)
        self._monitor = LimitMonitor(
            job, limits, launch.processes, group, kernel_enforces=self.kernel_enforces, events=events
        )
        self._process: subprocess.Popen[bytes] | None = None
        self._began = time.monotonic()
        self._termination = Termination(launch.processes, limits.grace)
        self._is_warned = False
        self._selector = selectors.DefaultSelector()
        self._session_descriptor = -1

    @property
    def disk(self) -> str:
        """How the limit on the disk is enforced."""
        return "volume" if self._monitor.has_volume else "measured"

    def start(self) -> subprocess.Popen[bytes]:
        """Start the job."""
        if self._launch.user is not None:
            os.fchown(self._output.sink, self._launch.user, -1)
        argv = self._group.wrap_command(self._launch.argv) if self._group else self._launch.argv
        self._began = time.monotonic()
        # The kernel kills the job when the thread that started it ends: this one, which waits for the job.
        with on_processors(self._launch.processors):
            self._process = subprocess.Popen(
                argv,
                stdin=subprocess.DEVNULL,
                stdout=self._output.sink,
                stderr=self._output.sink,
                cwd=self._launch.folder,
                env=dict(self._launch.environment),
                pass_fds=self._launch.descriptors,
                start_new_session=True,
            )
        self._output.close_sink()
        self._launch.processes.on_start(self._process)
        self._selector.register(self._output.source, selectors.EVENT_READ, self._read_output)
        self._watch_session()
        return self._process

    def wait(self, process: subprocess.Popen[bytes]) -> Cause | None:
        """Wait for the end of the job; return why it has to end, or None if it ended by itself."""
        end = os.pidfd_open(process.pid)
        try:
            self._selector.register(end, selectors.EVENT_READ)
            while True:
                for key, _ in self._selector.select(_TICK_SECONDS):
                    if key.fd == end:
                        self._note_late_request()
                        return self._termination.cause
                    key.data()
                if cause := self._check():
                    return cause
        finally:
            self._selector.unregister(end)
            os.close(end)

    def explain_end(self) -> Cause | None:
        """Return why a job ended that did not choose to, or None."""
        self._read_session()
        if not self._session.is_ready:
            return None
        cause = None if self._session.ended else self._launch.processes.explain_end()
        exit_code = self._session.ended.exit_code if self._session.ended else self._process and self._process.wait()
        return cause or (self._monitor.explain_crash() if exit_code else None)

    def kill(self) -> bool:
        """Kill the processes of the job until none is left; return whether that worked."""
        is_clean = True
        if self._process:
            self._read_session()
            is_clean = self._launch.processes.kill()
            self._process.kill()
            self._process.wait()
        if self._group:
            is_clean = self._group.kill() and is_clean
        self._monitor.report_counts()
        self._output.finish()
        return is_clean

    def conclude(self, return_code: int, cause: Cause | None, *, is_clean: bool) -> Ending:
        """Return how the job ended; `return_code` is that of `subprocess`."""
        cause = self._monitor.find_lost_writes() or cause
        exit_code = 128 - return_code if return_code < 0 else return_code
        if self._session.ended:
            exit_code = self._session.ended.exit_code
        return conclude(
            cause,
            exit_code,
            was_ready=self._session.is_ready,
            kills=self._monitor.memory.count_kills(),
            log_tail=self._output.tail(),
            is_clean=is_clean,
            seconds=self._elapsed(),
            peak_memory=self._monitor.memory.peak or None,
        )

    def close(self) -> None:
        """Close what is open."""
        self._monitor.close()
        self._selector.close()

    def _elapsed(self) -> float:
        """Return the seconds that the job has run; before its command has started, those since the sandbox started."""
        return time.monotonic() - (self._session.ready_at or self._began)

    def _read_output(self) -> None:
        if not self._output.read():
            self._selector.unregister(self._output.source)
        if self._output.dropped:
            self._monitor.report(ExceededLimit("log", self._output.kept + self._output.dropped, self._limits.log))

    def _read_session(self) -> None:
        self._session.read()
        if self._session.is_ready and not self._monitor.memory.group:
            self._monitor.memory.group = self._launch.processes.control_group
        if ended := self._session.ended:
            self._monitor.note_counts(kills=ended.kills, refused=ended.refused)
        self._watch_session()

    def _watch_session(self) -> None:
        """Wait for the session's descriptor, which changes when the channel is connected or closed."""
        descriptor = self._session.fileno()
        if descriptor != self._session_descriptor:
            if self._session_descriptor >= 0:
                self._selector.unregister(self._session_descriptor)
            if descriptor >= 0:
                self._selector.register(descriptor, selectors.EVENT_READ, self._read_session)
            self._session_descriptor = descriptor

    def _check(self) -> Cause | None:
        """Return why the job has to end now, or None."""
        elapsed = self._elapsed()
        request = self._stop.requested
        if request and request.reason is Reason.STOPPED:
            return Cause(request.reason, request.message)
        if not self._session.is_ready:
            if elapsed > _START_SECONDS:
                return Cause(
                    Reason.HARNESS, f"The sandbox did not start its command within {_START_SECONDS:.0f} seconds."
                )
        else:
            if request:
                self._termination.begin(elapsed, Cause(request.reason, request.message))
            if is_time_up(elapsed, self._limits):
                self._monitor.report(ExceededLimit("time", round(elapsed, 3), self._limits.seconds))
                self._termination.begin(elapsed, Cause(Reason.TIME))
            if self._termination.is_over(elapsed):
                return self._termination.cause
            if not self._is_warned and is_warning_due(elapsed, self._limits):
                self._warn(self._limits.seconds - elapsed)
        return self._monitor.check()

    def _warn(self, seconds_left: float) -> None:
        self._is_warned = True
        written = write_time_warning(self._job.home, seconds_left, self._limits.grace)
        self._events("warning", seconds=round(seconds_left, 3), written=written)

    def _note_late_request(self) -> None:
        """Take up a request that came after the last check: models refused the job's requests, and it gave up."""
        self._read_session()  # the job may have started after the last check, too
        request = self._stop.requested
        if request and request.reason is Reason.BUDGET and self._session.is_ready and not self._termination.cause:
            self._termination.cause = Cause(request.reason, request.message)
