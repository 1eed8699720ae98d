"""What a sandbox is: the job it runs, the limits it enforces from outside, and how a job can end."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from mlebench.sandbox.network import Network
    from mlebench.sandbox.orders import Orders
    from mlebench.sandbox.plan import Places

MiB = 1024**2
GiB = 1024**3


@dataclass(frozen=True, slots=True)
class Limits:
    """What a run may use. `None` means that the sandbox does not bound it."""

    seconds: float = 24 * 3600
    """Wall time from the start of the job's command; at its end the job gets SIGTERM."""
    grace: float = 10.0
    """Seconds between SIGTERM and SIGKILL, to save a submission."""
    cpus: float | None = None
    memory: int | None = None
    """Bytes of memory, summed over all processes of the job. As in a container, the largest process is
    killed when it runs out, and the job may go on without it."""
    processes: int | None = 512
    """Processes and threads at the same time."""
    disk: int | None = 32 * GiB
    """Bytes on disk that the job may write into its own folders; any file, even an empty one, counts as 4 KiB."""
    log: int = 64 * MiB
    """Bytes of standard output and error that are kept; what comes after is counted and dropped."""
    warning: float | None = None
    """Seconds before the end of the time at which a note is left in the job's `logs`; 0 leaves none. `None`
    is a twentieth of the time, at least a minute and at most 15, but never more than half of the time."""
    gpus: tuple[int, ...] | None = None
    """Numbers of the GPUs that the job sees, as `nvidia-smi` counts them; without, it sees none."""

    @property
    def warning_seconds(self) -> float:
        """How long before the end of the time the job is warned; 0 is not at all."""
        if self.warning is not None:
            return min(self.warning, self.seconds)
        return min(max(60.0, self.seconds / 20), 900.0, self.seconds / 2)


class Reason(StrEnum):
    """Why a job ended."""

    FINISHED = "finished"
    """It ended by itself with exit code 0."""
    CRASHED = "crashed"
    """It ended by itself with another exit code."""
    TIME = "time"
    MEMORY = "memory"
    DISK = "disk"
    BUDGET = "budget"
    """What it may spend on models was used up."""
    PROCESSES = "processes"
    """Only where the kernel cannot refuse one process too many, so that the sandbox has to end the job."""
    STOPPED = "stopped"
    """The harness was told to stop; the run counts as not made."""
    HARNESS = "harness"
    """The sandbox itself failed; the run counts as not made."""


@dataclass(frozen=True, slots=True)
class Ending:
    """How a job ended, as seen from outside."""

    reason: Reason
    exit_code: int | None
    seconds: float
    detail: str = ""
    """One sentence for people, empty when there is nothing to add."""
    peak_memory: int | None = None


@dataclass(frozen=True, slots=True)
class Hole:
    """One of the two ways from inside a sandbox to the harness: a port inside, a Unix socket outside."""

    port: int
    """Port on the sandbox's own loopback interface."""
    socket: Path
    """Unix socket outside, served by the harness."""
    variables: Mapping[str, str]
    """Environment variables that tell the job the address: each name with what follows `http://localhost:PORT`
    in its value, such as `{"VALIDATE_URL": "", "OPENAI_BASE_URL": "/v1"}`."""

    def addresses(self, port: int | None = None) -> dict[str, str]:
        """Return the variables with their values, for another port where that one was taken."""
        return {name: f"http://localhost:{port or self.port}{rest}" for name, rest in self.variables.items()}


@dataclass(frozen=True, slots=True)
class Job:
    """One command with everything it may see.

    The command runs in `/home/agent`, as a user who is not root where the sandbox can arrange that.
    """

    name: str
    """Label of the run, unique on this machine; not shown inside."""
    command: tuple[str, ...]
    """Argument vector; an item `{python}` becomes a Python interpreter with the scientific stack."""
    data: Path
    """Folder shown read-only as `/home/data`."""
    instructions: Path
    """File shown read-only as `/home/instructions.txt`."""
    home: Path
    """Folder of this run alone that holds `submission`, `code`, `logs` and `agent`, all writable inside
    as `/home/submission` and so on."""
    log: Path
    """File that receives the job's standard output and error."""
    tools: Path | None = None
    """Folder whose files are shown read-only in `/home`, such as `validate_submission.sh`."""
    holes: tuple[Hole, ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict)
    network: Network = "closed"
    """`closed` leaves nothing but the holes; `open` adds what the container engine's own network reaches: the
    internet, this machine's servers that listen on all addresses, and other jobs whose network is open."""
    image: str | None = None
    """Container image to run in, by name or id; `None` is the sandbox's own choice. Ignored where there are none."""
    python: Path | None = None
    """Interpreter of a virtual environment, shown read-only, that `{python}` stands for; `None` is the sandbox's
    own choice. Ignored where there are images."""


class EventSink(Protocol):
    """Receives what crosses the border of the sandbox: a kind and flat facts about it.

    Sandboxes, the collector and the submission check say:

    - `started`: `sandbox`; `enforcement` is `cgroup v1`, `cgroup v2` or `polling`; `gpus`; in a container
      `image`, the id of its image
    - `no_isolation`: `message`; the job runs unprotected
    - `network_open`: the job has a network beside the holes
    - `hole`: `variables` (their names), `port`; one way out is open
    - `warning`: `seconds` that were left when the job was told so; `written` is false where it prevented that
    - `limit`: `limit` (`time`, `memory`, `processes`, `disk`, `log` or `checks`), `value` when it was seen, `bound`
    - `ended`: `reason`, `exit_code`, `seconds`, `peak_memory`, `output` and `dropped` bytes of the log
    - `refused`: `path`, `why`; something that the job left behind was not collected
    - `check`: `size`, `sha256`, `status`, `answer`; a submission was checked

    Calls may come from several threads.
    """

    def __call__(self, kind: str, /, **facts: object) -> None: ...


GUARANTEES = ("answers", "network", "processes", "host_files", "read_only_data", "user", "memory")
"""What a sandbox may protect; `network` for jobs whose network is closed."""


class Sandbox(Protocol):
    """A way to run a job. Implementations keep no state between jobs and may be used from many threads."""

    @property
    def name(self) -> str: ...

    @property
    def guarantees(self) -> Mapping[str, bool]:
        """Which of `GUARANTEES` it protects."""
        ...

    @property
    def opens_network(self) -> bool:
        """Whether a job can have an open network; others are refused with UsageError."""
        ...

    def probe(self) -> str | None:
        """Return None if the sandbox works on this machine, else a sentence with reason and way out."""
        ...

    def places(self, job: Job) -> Places:
        """Return where the job finds its things, as it sees them."""
        ...

    def run(self, job: Job, limits: Limits, *, orders: Orders, events: EventSink) -> Ending:
        """Run a job to its end; return only when no process of it is left. `orders` may end it early."""
        ...
