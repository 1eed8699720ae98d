"""The harness's side of a running job: it reads the output, watches the limits, and leaves nothing alive."""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import time
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from mlebench.sandbox.cgroup import ControlGroup, version_in_use
from mlebench.sandbox.disk import Pace
from mlebench.sandbox.ending import Ending, Reason
from mlebench.sandbox.meters import DiskMeter, MemoryMeter
from mlebench.sandbox.output import Output
from mlebench.sandbox.plan import OWN_PROCESSES
from mlebench.sandbox.time_warning import write_time_warning

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from mlebench.sandbox.base import EventSink
    from mlebench.sandbox.channel import Channel
    from mlebench.sandbox.job import Job
    from mlebench.sandbox.keeper import Keeper
    from mlebench.sandbox.limits import Limits
    from mlebench.sandbox.stop import StopSignal

_TICK = 0.1
_START_SECONDS = 60.0
"""How long a sandbox may take until the job's command starts."""
_KILLED = 128 + signal.SIGKILL


@dataclass(frozen=True, slots=True, kw_only=True)
class Launch:
    """A job made ready by a sandbox: what to start, and how what starts is held together."""

    sandbox: str
    arguments: tuple[str, ...]
    environment: Mapping[str, str]
    folder: Path
    channel: Channel
    """Tells `child-pid` (bubblewrap), `ready` with the `ports` of the holes, and in a container, at its end,
    `ended` (the exit code) with the `kills` and `refused` processes that the kernel counted."""
    keeper: Keeper
    token: str
    descriptors: tuple[int, ...] = ()
    """File descriptors that the sandbox inherits; they are closed here once it has them."""
    user: int | None = None
    """Owner of the output pipe, so that the job can open /dev/stdout."""
    control_groups: bool = True
    """Whether to make a control group for the job, where that is allowed."""
    bounded: bool = False
    """Whether somebody else has the kernel enforce the limits on memory and processes."""
    facts: Mapping[str, Any] = field(default_factory=dict)
    """What the event `started` tells besides."""


def supervise(launch: Launch, job: Job, limits: Limits, *, stop: StopSignal, events: EventSink) -> Ending:
    """Start a job and watch it to its end; return when no process of it is left."""
    with ExitStack() as stack:
        for descriptor in launch.descriptors:
            stack.callback(os.close, descriptor)
        stack.callback(launch.channel.close)
        stack.callback(launch.keeper.close)
        group = ControlGroup.create(launch.token, limits) if launch.control_groups else None
        if group:
            stack.callback(group.remove)
        output = stack.enter_context(Output(job.log, limits.log))
        watch = _Watch(launch, job, limits, group, output, stop, events)
        stack.callback(watch.close)
        enforcement = f"cgroup v{version_in_use()}" if watch.bounded else "polling"
        events("started", sandbox=launch.sandbox, enforcement=enforcement, **launch.facts)
        try:
            process = watch.start()
            reason = watch.until_end(process) or watch.unexplained_end()
        finally:
            clean = watch.kill()
        ending = watch.ending(process.returncode, reason, clean=clean)
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


class _Watch:
    """One job under supervision."""

    def __init__(
        self,
        launch: Launch,
        job: Job,
        limits: Limits,
        group: ControlGroup | None,
        output: Output,
        stop: StopSignal,
        events: EventSink,
    ) -> None:
        self.launch, self.limits, self.group, self.output = launch, limits, group, output
        self.job, self.stop, self.events = job, stop, events
        self.keeper, self.channel = launch.keeper, launch.channel
        self.bounded = group is not None or launch.bounded
        self.disk = DiskMeter(job.home, limits.disk)
        self.memory = MemoryMeter(limits, group)
        self.pace = Pace(_TICK, share=0.25)
        self.process: subprocess.Popen[bytes] | None = None
        self.ready = False
        self.told_end: dict[str, Any] | None = None
        self.detail = ""
        self.began = time.monotonic()
        self.asked_to_end: tuple[float, Reason] | None = None
        self._warned = False
        self._said: set[str] = set()
        self._selector = selectors.DefaultSelector()
        self._listening = -1

    def start(self) -> subprocess.Popen[bytes]:
        """Start the job."""
        if self.launch.user is not None:
            os.fchown(self.output.sink, self.launch.user, -1)
        arguments = self.launch.arguments
        if self.group:
            arguments = self.group.joining(arguments)
        self.began = time.monotonic()
        # What dies with its parent follows the thread that started it: this one, which waits for it.
        self.process = subprocess.Popen(
            arguments,
            stdin=subprocess.DEVNULL,
            stdout=self.output.sink,
            stderr=self.output.sink,
            cwd=self.launch.folder,
            env=dict(self.launch.environment),
            pass_fds=self.launch.descriptors,
            start_new_session=True,
        )
        self.output.close_sink()
        self.keeper.started(self.process)
        self._selector.register(self.output.source, selectors.EVENT_READ, self._read_output)
        self._listen()
        return self.process

    def until_end(self, process: subprocess.Popen[bytes]) -> Reason | None:
        """Wait for the job's end; return why it has to end, or None if it ended by itself."""
        end = os.pidfd_open(process.pid)
        try:
            self._selector.register(end, selectors.EVENT_READ)
            while True:
                for key, _ in self._selector.select(_TICK):
                    if key.fd == end:
                        self._note_budget()
                        return self.asked_to_end[1] if self.asked_to_end else None
                    key.data()
                if reason := self._judge():
                    return reason
        finally:
            self._selector.unregister(end)
            os.close(end)

    def unexplained_end(self) -> Reason | None:
        """Return why a job ended by itself that should have said so and did not."""
        self._read_status()
        if not self.ready or self.told_end or (explained := self.keeper.explain()) is None:
            return None
        reason, self.detail = explained
        return reason

    def kill(self) -> bool:
        """Kill whatever is left until nothing is; tell whether that worked."""
        clean = True
        if self.process:
            self._read_status()
            clean = self.keeper.kill()
            self.process.kill()
            self.process.wait()
        if self.group:
            clean = self.group.kill() and clean
        self._note_limits(0, 0)
        self.output.finish()
        return clean

    def ending(self, code: int, reason: Reason | None, *, clean: bool) -> Ending:
        """Put together how the job ended."""
        code = 128 - code if code < 0 else code
        if self.told_end:
            code = self.told_end["ended"]
        killed = self.memory.kills()
        detail = self.detail
        if reason is not None:
            ended_by_itself = code != _KILLED
        elif not self.ready:
            reason, ended_by_itself = Reason.HARNESS, True
            message = self.output.tail() or "no message"
            detail = f"The sandbox did not start (exit code {code}): {message.splitlines()[-1]}"
        else:
            ended_by_itself = True
            reason = Reason.CRASHED if code else Reason.FINISHED
            if killed:
                detail = f"{killed} of its processes were killed because memory ran out."
                reason = Reason.MEMORY if code == _KILLED else reason
        if not clean:
            detail = f"{detail} Some of its processes could not be killed.".strip()
        return Ending(
            reason=reason,
            exit_code=code if ended_by_itself else None,
            seconds=time.monotonic() - self.began,
            detail=detail,
            peak_memory=self.memory.peak or None,
        )

    def close(self) -> None:
        """Let go of what is open."""
        self._selector.close()

    def _read_output(self) -> None:
        if not self.output.take():
            self._selector.unregister(self.output.source)
        if self.output.dropped:
            self._say("log", self.output.kept + self.output.dropped, self.limits.log)

    def _listen(self) -> None:
        """Watch the channel, whose descriptor changes as it is connected and closed."""
        now = self.channel.fileno()
        if now != self._listening:
            if self._listening >= 0:
                self._selector.unregister(self._listening)
            if now >= 0:
                self._selector.register(now, selectors.EVENT_READ, self._read_status)
            self._listening = now

    def _read_status(self) -> None:
        for facts in self.channel.receive():
            self.keeper.told(facts)
            if facts.get("ready"):
                self.ready = True
                self.began = time.monotonic()  # the time of the job is its own; starting a container takes a while
                self.memory.group = self.group or self.keeper.group
                for forward, port in zip(self.job.port_forwards, facts["ports"], strict=True):
                    self.events("hole", variables=list(forward.variables), port=port)
            if "ended" in facts:
                self.told_end = facts
                self.memory.note_kills(facts["kills"])
        self._listen()

    def _judge(self) -> Reason | None:
        """Look whether the job has to end now."""
        elapsed = time.monotonic() - self.began
        if request := self.stop.requested:
            if request.reason is Reason.STOPPED:
                self.detail = request.message
                return Reason.STOPPED
            if self.ready:  # before, there is nobody to ask
                self.detail = request.message
                self._ask_to_end(elapsed, request.reason)
        if not self.ready and elapsed > _START_SECONDS:
            self.detail = f"The sandbox did not start its command within {_START_SECONDS:.0f} seconds."
            return Reason.HARNESS
        if self.ready and elapsed > self.limits.seconds:
            self._say("time", round(elapsed, 3), self.limits.seconds)
            self._ask_to_end(elapsed, Reason.TIME)
        if self.asked_to_end is not None and elapsed > self.asked_to_end[0] + self.limits.grace:
            return self.asked_to_end[1]
        if self.ready and not self._warned and 0 < self.limits.seconds - elapsed <= self.limits.warning_seconds:
            self._warned = True
            left = self.limits.seconds - elapsed
            written = write_time_warning(self.job.home, left, self.limits.grace)
            self.events("warning", seconds=round(left, 3), written=written)
        if self.pace.is_due() and (reason := self._judge_processes()):
            return reason
        if self.disk.is_due():
            used, bound = self.disk.measure(self.keeper.processes), self.limits.disk
            if bound is not None and used > bound:
                self._say("disk", used, bound)
                self.detail = f"It wrote more than {bound} bytes into its folders."
                return Reason.DISK
        return None

    def _note_budget(self) -> None:
        """Take up an order that came so shortly before the job's end that nobody looked: models refused it, and it
        gave up."""
        request = self.stop.requested
        if self.asked_to_end is None and request and request.reason is Reason.BUDGET and self.ready:
            self.detail = request.message
            self.asked_to_end = time.monotonic() - self.began, request.reason

    def _ask_to_end(self, elapsed: float, reason: Reason) -> None:
        if self.asked_to_end is None:
            self.asked_to_end = elapsed, reason
            self.keeper.terminate()

    def _judge_processes(self) -> Reason | None:
        bound, most = self.limits.memory, self.limits.processes
        began = time.monotonic()
        living = [] if self.memory.group else self.keeper.processes()
        files = 0 if self.memory.group else self.keeper.memory_files()
        used = self.memory.measure(living, files, kill=not self.bounded)
        number = sum(process.threads for process in living)
        self._note_limits(used, number)
        self.pace.spent(began)
        if self.bounded:
            return None  # the kernel sees to it
        if bound is not None and used > 2 * bound:
            self.detail = f"It used more than twice its {bound} bytes of memory."
            return Reason.MEMORY
        if most is not None and number > most + OWN_PROCESSES:
            self.detail = f"It ran {number} processes and threads where {most} are allowed."
            return Reason.PROCESSES
        return None

    def _note_limits(self, used: int, number: int) -> None:
        bound, most = self.limits.memory, self.limits.processes
        if bound is not None and (used > bound or self.memory.kills()):
            self._say("memory", max(used, bound), bound)
        if most is not None and (number >= most or self._refused_processes()):
            self._say("processes", max(number, most), most)

    def _say(self, limit: str, value: float, bound: float) -> None:
        if limit not in self._said:
            self._said.add(limit)
            self.events("limit", limit=limit, value=value, bound=bound)

    def _refused_processes(self) -> int:
        told = self.told_end["refused"] if self.told_end else 0
        return max(told, self.memory.group.refused_processes() if self.memory.group else 0)
