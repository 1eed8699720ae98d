"""The harness's side of a running job: it reads the output, watches the limits, and leaves nothing alive."""

from __future__ import annotations

import json
import os
import selectors
import signal
import subprocess
import time
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mlebench.sandbox import processes
from mlebench.sandbox.base import Ending, Reason
from mlebench.sandbox.cgroup import ControlGroup
from mlebench.sandbox.disk import Pace
from mlebench.sandbox.keeper import Keeper
from mlebench.sandbox.meters import DiskMeter, MemoryMeter
from mlebench.sandbox.output import Output
from mlebench.sandbox.plan import OWN_PROCESSES

if TYPE_CHECKING:
    import threading
    from collections.abc import Mapping
    from pathlib import Path

    from mlebench.sandbox.base import EventSink, Job, Limits

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
    status: int
    """Pipe on which the sandbox says, a JSON object a line, `child-pid` and `ready` (with `ports`)."""
    descriptors: tuple[int, ...]
    """File descriptors that the sandbox inherits; they are closed here once it has them."""
    token: str
    namespace: bool
    """Whether the job has a PID namespace of its own, whose first process is `child-pid`."""
    user: int | None = None
    """Owner of the output pipe, so that the job can open /dev/stdout."""
    control_groups: bool = True


def supervise(launch: Launch, job: Job, limits: Limits, *, stop: threading.Event, events: EventSink) -> Ending:
    """Start a job and watch it to its end; return when no process of it is left."""
    with ExitStack() as stack:
        for descriptor in launch.descriptors:
            stack.callback(os.close, descriptor)
        group = ControlGroup.create(launch.token, limits) if launch.control_groups else None
        if group:
            stack.callback(group.remove)
        output = stack.enter_context(Output(job.log, limits.log))
        watch = _Watch(launch, job, limits, group, output, stop, events)
        stack.callback(watch.close)
        enforcement = f"cgroup v{group.version}" if group else "polling"
        events("started", sandbox=launch.sandbox, enforcement=enforcement)
        try:
            process = watch.start()
            reason = watch.until_end(process)
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
        stop: threading.Event,
        events: EventSink,
    ) -> None:
        self.launch, self.limits, self.group, self.output = launch, limits, group, output
        self.stop, self.events = stop, events
        self.disk = DiskMeter(job.home, limits.disk)
        self.memory = MemoryMeter(limits, group)
        self.pace = Pace(_TICK, share=0.25)
        self.process: subprocess.Popen[bytes] | None = None
        self.keeper: Keeper | None = None
        self.ready = False
        self.detail = ""
        self.began = time.monotonic()
        self.asked_to_end: float | None = None
        self._said: set[str] = set()
        self._status = b""
        self._selector = selectors.DefaultSelector()

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
        if not self.launch.namespace:
            self.keeper = Keeper(self.process.pid)
        self._selector.register(self.output.source, selectors.EVENT_READ, self._read_output)
        self._selector.register(self.launch.status, selectors.EVENT_READ, self._read_status)
        return self.process

    def until_end(self, process: subprocess.Popen[bytes]) -> Reason | None:
        """Wait for the job's end; return why it has to end, or None if it ended by itself."""
        end = os.pidfd_open(process.pid)
        try:
            self._selector.register(end, selectors.EVENT_READ)
            while True:
                for key, _ in self._selector.select(_TICK):
                    if key.fd == end:
                        return Reason.TIME if self.asked_to_end else None
                    key.data()
                if reason := self._judge():
                    return reason
        finally:
            self._selector.unregister(end)
            os.close(end)

    def kill(self) -> bool:
        """Kill whatever is left until nothing is; tell whether that worked."""
        clean = True
        if self.process:
            self._read_status()
            if self.keeper and self.launch.namespace:
                clean = self.keeper.kill_namespace()
            elif self.keeper:
                clean = self.keeper.kill_descendants(self.process, self.launch.token)
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
        if self.keeper:
            self.keeper.close()

    def _read_output(self) -> None:
        if not self.output.take():
            self._selector.unregister(self.output.source)
        if self.output.dropped:
            self._say("log", self.output.kept + self.output.dropped, self.limits.log)

    def _read_status(self) -> None:
        try:
            data = os.read(self.launch.status, 65536)
        except BlockingIOError:
            return
        if not data:
            with suppress(KeyError):
                self._selector.unregister(self.launch.status)
        *lines, self._status = (self._status + data).split(b"\n")
        for line in lines:
            facts = json.loads(line)
            if "child-pid" in facts:
                with suppress(OSError):
                    self.keeper = Keeper(facts["child-pid"])
            if facts.get("ready"):
                self.ready = True
                for variable, port in facts["ports"].items():
                    self.events("hole", variable=variable, port=port)

    def _judge(self) -> Reason | None:
        """Look whether the job has to end now."""
        elapsed = time.monotonic() - self.began
        if self.stop.is_set():
            return Reason.STOPPED
        if not self.ready and elapsed > _START_SECONDS:
            self.detail = f"The sandbox did not start its command within {_START_SECONDS:.0f} seconds."
            return Reason.HARNESS
        if self.asked_to_end is not None and elapsed > self.asked_to_end + self.limits.grace:
            return Reason.TIME
        if self.asked_to_end is None and elapsed > self.limits.seconds:
            self._say("time", round(elapsed, 3), self.limits.seconds)
            self.asked_to_end = elapsed
            for process in self._processes():
                processes.send(process, signal.SIGTERM)
        if self.pace.is_due() and (reason := self._judge_processes()):
            return reason
        if self.disk.is_due():
            used, bound = self.disk.measure(self._processes), self.limits.disk
            if bound is not None and used > bound:
                self._say("disk", used, bound)
                self.detail = f"It wrote more than {bound} bytes into its folders."
                return Reason.DISK
        return None

    def _judge_processes(self) -> Reason | None:
        bound, most = self.limits.memory, self.limits.processes
        began = time.monotonic()
        living = [] if self.group else self._processes()
        files = self.keeper.memory_files() if self.keeper and self.launch.namespace else 0
        used = self.memory.measure(living, files)
        number = sum(process.threads for process in living)
        self._note_limits(used, number)
        self.pace.spent(began)
        if self.group:
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
        if most is not None and (number >= most or (self.group and self.group.refused_processes())):
            self._say("processes", max(number, most), most)

    def _say(self, limit: str, value: float, bound: float) -> None:
        if limit not in self._said:
            self._said.add(limit)
            self.events("limit", limit=limit, value=value, bound=bound)

    def _processes(self) -> list[processes.Process]:
        return self.keeper.processes() if self.keeper else []
