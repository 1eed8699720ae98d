from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from mlebench.cli.options import DataDir, Json, RunsDir, open_registry
from mlebench.cli.output import console

AGENTS = ("dummy", "baseline")
SEEDS = 3
NEXT_STEPS = """
The page with everything: {page}

What to try next:
  mlebench run --agent baseline -c spaceship-titanic --rehearsal    a Kaggle task on synthetic data
  mlebench run --agent PATH --split demo --seeds 3                  your own agent: a folder with agent.yaml
  mlebench show spaceship-titanic                                   what is known of a task
  mlebench doctor                                                   what this machine has and lacks"""


def demo(
    parallel: Annotated[
        int | None, typer.Option(min=1, help="Runs at the same time; by default one for each core.")
    ] = None,
    sandbox: Annotated[str, typer.Option(help="auto, bubblewrap or process.")] = "auto",
    group: Annotated[str | None, typer.Option(help="Name of the group; by default made of what runs.")] = None,
    runs_dir: RunsDir = Path("runs"),
    data_dir: DataDir = None,
    json: Json = False,
) -> None:
    """Run two agents that need no model on six small tasks, three seeds each, and show the medal table.

    Nothing is downloaded. Without a sandbox that isolates, `process` is taken, and the report says so.

    Example: mlebench demo
    """
    from mlebench.agents.registry import get_agent
    from mlebench.cli.run import ensure_prepared, run_and_report
    from mlebench.runs.plan import Plan, check_group_name
    from mlebench.runs.slots import Slots
    from mlebench.sandbox import get_sandbox
    from mlebench.sandbox.limits import GiB, Limits

    registry = open_registry(data_dir, None)
    if group is not None:
        check_group_name(group)
    competitions = [registry.get_competition(name) for name in registry.get_split("demo")]
    plan = Plan(
        agents={name: get_agent(name) for name in AGENTS},
        competitions={competition.label: competition for competition in competitions},
        seeds=SEEDS,
        sandbox=get_sandbox(sandbox).name,
        limits=Limits(seconds=300, grace=5, cpus=1, memory=4 * GiB, disk=2 * GiB),
    )
    ensure_prepared(competitions, rehearsal=False)
    target = runs_dir / (group or plan.default_name("demo"))
    page = run_and_report(plan, target, registry, Slots(parallel or os.cpu_count() or 1), json=json)
    console(stderr=True).print(NEXT_STEPS.format(page=page.resolve()), soft_wrap=True)
