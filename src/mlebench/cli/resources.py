"""Options that say what a run may use: a profile, and what differs from it."""

from __future__ import annotations

import dataclasses
import os
from typing import TYPE_CHECKING, Annotated

import typer

from mlebench.ground.wording import parse_duration

if TYPE_CHECKING:
    from mlebench.sandbox.limits import Limits

GiB = 1024**3

ProfileName = Annotated[
    str | None,
    typer.Option(
        "--profile", help="Named limits: paper-24h, lite-4h, smoke and others (docs/runs.md), or a YAML file."
    ),
]
TimeLimit = Annotated[str | None, typer.Option(help="Wall time of a run, such as 90s, 45m or 24h.  [default: 24h]")]
Grace = Annotated[str, typer.Option(help="Time between SIGTERM and SIGKILL at the end of it.")]
Memory = Annotated[float | None, typer.Option(min=0.1, help="GiB of memory of a run.  [default: 16]")]
Cpus = Annotated[float | None, typer.Option(min=0.1, help="Cores of a run; by default an equal share.")]
Disk = Annotated[float | None, typer.Option(min=0.1, help="GiB on disk that a run may write.  [default: 32]")]
Gpus = Annotated[int | None, typer.Option(min=0, help="GPUs of each run, which no other run gets.  [default: 0]")]


@dataclasses.dataclass(frozen=True)
class Resources:
    """What each run may use, and whose profile that is."""

    limits: Limits
    gpus: int
    profile: str | None


def resources(
    *,
    profile: str | None,
    time_limit: str | None,
    grace: str,
    memory: float | None,
    cpus: float | None,
    disk: float | None,
    gpus: int | None,
    parallel: int | None,
) -> Resources:
    """Put together a profile and what the other options say."""
    from mlebench.sandbox.limits import Limits

    if profile is None:
        share = max(1.0, (os.cpu_count() or 1) / (parallel or os.cpu_count() or 1))
        seconds_, cpus_, memory_, disk_, gpus_ = 24 * 3600.0, share, 16.0, 32.0, 0
        name = None
    else:
        from mlebench.runs.profiles import get_profile

        name, chosen = get_profile(profile)
        seconds_, cpus_, memory_, disk_ = chosen.seconds, chosen.cpus, chosen.memory_gib, chosen.disk_gib
        gpus_ = chosen.gpus
        if any(option is not None for option in (time_limit, memory, cpus, disk, gpus)):
            name = f"{name} (changed)"
    return Resources(
        Limits(
            seconds=seconds_ if time_limit is None else parse_duration(time_limit),
            grace=parse_duration(grace),
            cpus=cpus if cpus is not None else cpus_,
            memory=int((memory if memory is not None else memory_) * GiB),
            disk=int((disk if disk is not None else disk_) * GiB),
        ),
        gpus if gpus is not None else gpus_,
        name,
    )
