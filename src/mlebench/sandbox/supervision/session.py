"""The conversation between the harness and the first process of a job."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from mlebench.sandbox.supervision.messages import Ended, Ready, Waiting

if TYPE_CHECKING:
    from mlebench.sandbox.base import EventSink
    from mlebench.sandbox.job import Job
    from mlebench.sandbox.supervision.channel import Channel
    from mlebench.sandbox.supervision.job_processes import JobProcesses


class Session:
    """Reads the messages of one job's first process and keeps what they tell.

    Parameters
    ----------
    channel : Channel
        Where messages arrive.
    job : Job
        The job, for its port forwards.
    processes : JobProcesses
        Gets each message.
    events : EventSink
        Receives a `hole` event for each port forward that is ready.
    """

    def __init__(self, channel: Channel, job: Job, processes: JobProcesses, events: EventSink) -> None:
        self.ready_at: float | None = None
        """Time of `time.monotonic` at which the job's command started; None before that."""
        self.ended: Ended | None = None
        """The report of a container about its end."""
        self._channel = channel
        self._job = job
        self._processes = processes
        self._events = events

    @property
    def is_ready(self) -> bool:
        """Whether the job's command has started."""
        return self.ready_at is not None

    def fileno(self) -> int:
        """Return the descriptor to wait for. It may change, and is -1 when no message can come any more."""
        return self._channel.fileno()

    def read(self) -> None:
        """Read the messages that have arrived."""
        for message in self._channel.receive():
            self._processes.on_message(message)
            if isinstance(message, Waiting):
                self._channel.send_config()
            elif isinstance(message, Ready):
                self.ready_at = time.monotonic()
                for forward, port in zip(self._job.port_forwards, message.ports, strict=True):
                    self._events("hole", variables=list(forward.variables), port=port)
            elif isinstance(message, Ended):
                self.ended = message
