"""What a plan takes at most, known before it starts."""

from __future__ import annotations

import math
import shutil
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mlebench.runs.store import count_graded

if TYPE_CHECKING:
    from pathlib import Path

    from mlebench.runs.plan import Plan


@dataclass(frozen=True)
class Forecast:
    """Upper bounds of time, disk and money; agents that finish early use less."""

    runs: int
    done: int
    """Runs that are graded already."""
    at_a_time: int
    hours: float
    """Wall time if every remaining run uses its whole time limit."""
    disk: int | None
    """Bytes that agents may write at the same time; None if unlimited."""
    disk_free: int
    """Free bytes on the disk of the groups."""
    money: float | None
    """US dollars that the remaining runs may spend on models; None if unlimited or without models."""

    @classmethod
    def of(cls, plan: Plan, group: Path, at_a_time: int) -> Forecast:
        total, done = len(plan.runs), count_graded(group)
        left = total - done
        seconds = math.ceil(left / at_a_time) * (plan.limits.seconds + plan.limits.grace)
        bound = plan.models.config.budget.money if plan.models else None
        existing = next(folder for folder in (group, *group.absolute().parents) if folder.exists())
        return cls(
            runs=total,
            done=done,
            at_a_time=at_a_time,
            hours=seconds / 3600,
            disk=None if plan.limits.disk is None else plan.limits.disk * min(at_a_time, left),
            disk_free=shutil.disk_usage(existing).free,
            money=None if bound is None else bound * left,
        )
