"""The demo: two agents that need no model, on all embedded competitions."""

from __future__ import annotations

import os
from typing import Any

from mlebench.runs.options import RunOptions
from mlebench.sandbox import get_sandbox

AGENTS = ("dummy", "baseline")
SEEDS = 3


def demo_options(*, sandbox: str = "auto", parallel: int | None = None, **options: Any) -> RunOptions:
    """Return the options of the demo: two agents that need no model, on all embedded competitions.

    Without a sandbox that isolates, `auto` selects `process`, and the report says so.
    """
    return RunOptions.of(
        agents=AGENTS,
        split="demo",
        seeds=SEEDS,
        sandbox=get_sandbox(sandbox).name,
        parallel=parallel or os.cpu_count() or 1,
        time_limit=300,
        grace=5,
        cpus=1,
        memory=4,
        disk=2,
        **options,
    )
