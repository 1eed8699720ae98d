"""What each run may use: a profile, and the options that differ from it."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mlebench.ground.wording import parse_duration
from mlebench.runs.profiles import Profile, get_profile
from mlebench.sandbox.limits import GiB, Limits

if TYPE_CHECKING:
    from mlebench.runs.options import RunOptions

DEFAULTS = Profile(description="Limits without a profile.", seconds=24 * 3600, cpus=1, memory_gib=16, disk_gib=32)
"""Without a profile, each run gets an equal share of the machine's cores instead of `cpus`."""


@dataclass(frozen=True, slots=True)
class Resources:
    """What each run may use, and the profile that this is."""

    limits: Limits
    gpus: int
    """Number of GPUs of each run."""
    profile: str | None
    """Name of the profile, with ` (changed)` where an option differs from it; None without a profile."""

    @classmethod
    def of(cls, options: RunOptions) -> Resources:
        """Combine the profile that options name with their own limits."""
        own = (options.time_limit, options.memory, options.cpus, options.disk, options.gpus)
        if options.profile is None:
            name, profile = None, DEFAULTS.model_copy(update={"cpus": _share_of_cores(options.parallel)})
        else:
            name, profile = get_profile(options.profile)
            if any(value is not None for value in own):
                name = f"{name} (changed)"
        memory = profile.memory_gib if options.memory is None else options.memory
        disk = profile.disk_gib if options.disk is None else options.disk
        return cls(
            Limits(
                seconds=profile.seconds if options.time_limit is None else parse_duration(options.time_limit),
                grace=parse_duration(options.grace),
                cpus=profile.cpus if options.cpus is None else options.cpus,
                memory=int(memory * GiB),
                disk=int(disk * GiB),
            ),
            profile.gpus if options.gpus is None else options.gpus,
            name,
        )


def _share_of_cores(parallel: int | None) -> float:
    cores = os.cpu_count() or 1
    return max(1.0, cores / (parallel or cores))
