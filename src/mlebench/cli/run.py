from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mlebench.cli.grouping import with_groups
from mlebench.cli.groups import Choice, LimitOptions, ModelOptions
from mlebench.cli.options import Json, RunsDir
from mlebench.cli.output import console, print_json
from mlebench.cli.running import run_and_report
from mlebench.errors import UsageError

if TYPE_CHECKING:
    from mlebench.runs.planning import PlannedGroup


@with_groups
def run(
    choice: Choice,
    limits: LimitOptions,
    models: ModelOptions,
    agents: Annotated[
        list[str] | None, typer.Option("--agent", help="An agent's name, or your own agent's folder; may be repeated.")
    ] = None,
    experiment: Annotated[
        str | None,
        typer.Option(
            help="A name such as paper/aide-gpt-4o, or a YAML file: agents, competitions, seeds, limits and models in "
            "one. Other options replace parts of it."
        ),
    ] = None,
    model: Annotated[
        str | None, typer.Option(help="The model that agents ask, instead of the one that they declare.")
    ] = None,
    seeds: Annotated[
        int | None, typer.Option(min=1, help="Runs of each agent on each competition.  [default: 1]")
    ] = None,
    parallel: Annotated[
        int | None, typer.Option(min=1, help="Runs at the same time; by default as many as fit on this machine.")
    ] = None,
    sandbox: Annotated[
        str,
        typer.Option(help="auto or a name of `mlebench doctor`; auto never selects process, which does not isolate."),
    ] = "auto",
    network: Annotated[
        str, typer.Option(help="closed or open; open needs docker or podman, and every report says so.")
    ] = "closed",
    obfuscated: Annotated[
        bool, typer.Option("--obfuscated", help="Give agents the brief that does not name the competition.")
    ] = False,
    group: Annotated[str | None, typer.Option(help="Name of the group; by default derived from the plan.")] = None,
    rehearsal: Annotated[
        bool, typer.Option("--rehearsal", help="Run on tiny synthetic data; never counts as a result.")
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only print what would run and what it takes at most.")
    ] = False,
    runs_dir: RunsDir = Path("runs"),
    json: Json = False,
) -> None:
    """Run agents on competitions, several seeds each, then grade and report.

    The same command continues an interrupted group and ends in the same table.

    Example: mlebench run --agent baseline --split demo --seeds 3
    """
    from mlebench.runs.options import RunOptions
    from mlebench.runs.planning import plan_group

    options = RunOptions.of(
        agents=agents,
        experiment=experiment,
        model=model,
        seeds=seeds,
        parallel=parallel,
        sandbox=sandbox,
        network=network,
        obfuscated=obfuscated,
        group=group,
        rehearsal=rehearsal,
        runs_dir=runs_dir,
        **choice.as_options(),
        **limits.as_options(),
        **models.as_options(),
    )
    parts = options.parts
    if parts and (group is not None or json):
        raise UsageError(f"{experiment} runs several groups, so --group and --json do not apply.")
    groups = []
    for part in parts or (options,):
        planned = plan_group(part)
        groups.append(str(planned.folder))
        if dry_run:
            _print_plan(planned, json=json)
        else:
            run_and_report(planned, json=json)
    if parts:
        console(stderr=True).print(f"All in one table: mlebench report {' '.join(groups)}", soft_wrap=True)


def _print_plan(planned: PlannedGroup, *, json: bool) -> None:
    import dataclasses

    run_ids = [run.run_id for run in planned.plan.runs]
    if json:
        print_json({"group": str(planned.folder), **dataclasses.asdict(planned.forecast), "run_ids": run_ids})
        return
    for line in (*planned.summary(), *run_ids):
        console().print(line, soft_wrap=True)
