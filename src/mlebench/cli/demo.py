from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from mlebench.cli.options import DataDir, Json, RunsDir
from mlebench.cli.output import console

NEXT_STEPS = """
The page with everything: {page}

What to try next:
  mlebench run --agent baseline -c spaceship-titanic --rehearsal    a Kaggle task on synthetic data
  mlebench run --agent PATH --split demo --seeds 3                  your own agent: a folder with agent.yaml
  mlebench show spaceship-titanic                                   what is known about a task
  mlebench doctor                                                   what this machine has and lacks"""


def demo(
    parallel: Annotated[
        int | None, typer.Option(min=1, help="Runs at the same time; by default one for each core.")
    ] = None,
    sandbox: Annotated[str, typer.Option(help="auto, bubblewrap or process.")] = "auto",
    group: Annotated[str | None, typer.Option(help="Name of the group; by default derived from the plan.")] = None,
    runs_dir: RunsDir = Path("runs"),
    data_dir: DataDir = None,
    json: Json = False,
) -> None:
    """Run two agents that need no model on six small tasks, three seeds each, and show the medal table.

    Nothing is downloaded. If no sandbox that isolates works here, `process` is used, and the report says so.

    Example: mlebench demo
    """
    from mlebench.cli.running import run_and_report
    from mlebench.runs.demo import demo_options
    from mlebench.runs.planning import plan_group

    options = demo_options(sandbox=sandbox, parallel=parallel, group=group, runs_dir=runs_dir, data_dir=data_dir)
    page = run_and_report(plan_group(options), json=json)
    console(stderr=True).print(NEXT_STEPS.format(page=page.resolve()), soft_wrap=True)
