from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mlebench.cli.options import (
    CompetitionIds,
    DataDir,
    Folders,
    Json,
    ListFile,
    RunsDir,
    Split,
    chosen_ids,
    open_registry,
)
from mlebench.cli.output import console
from mlebench.errors import NotPreparedError, UsageError

if TYPE_CHECKING:
    from mlebench.competition import Competition
    from mlebench.registry import Registry
    from mlebench.runs.plan import Plan

GiB = 1024**3
REHEARSAL_FOLDER = "rehearsal"
"""Folder inside the data directory for the data of `run --rehearsal`, apart from real ones."""


def run(
    agents: Annotated[
        list[str], typer.Option("--agent", help="An agent's name, or the folder of your own; may be repeated.")
    ],
    competition_id: CompetitionIds = None,
    split: Split = None,
    list_file: ListFile = None,
    seeds: Annotated[int, typer.Option(min=1, help="How many times each agent tries each competition.")] = 1,
    parallel: Annotated[
        int | None, typer.Option(min=1, help="Runs at the same time; by default one for each core.")
    ] = None,
    time_limit: Annotated[str, typer.Option(help="Wall time of a run, such as 90s, 45m or 24h.")] = "24h",
    grace: Annotated[str, typer.Option(help="Time between SIGTERM and SIGKILL at the end of it.")] = "10s",
    memory: Annotated[float, typer.Option(min=0.1, help="GiB of memory of a run.")] = 16.0,
    cpus: Annotated[float | None, typer.Option(min=0.1, help="Cores of a run; by default an equal share.")] = None,
    disk: Annotated[float, typer.Option(min=0.1, help="GiB on disk that a run may write.")] = 32.0,
    sandbox: Annotated[
        str, typer.Option(help="auto, bubblewrap or process; auto never takes process, which isolates nothing.")
    ] = "auto",
    group: Annotated[str | None, typer.Option(help="Name of the group; by default made of what runs.")] = None,
    rehearsal: Annotated[
        bool, typer.Option("--rehearsal", help="Run on tiny synthetic data; never counts as a result.")
    ] = False,
    runs_dir: RunsDir = Path("runs"),
    data_dir: DataDir = None,
    folder: Folders = None,
    json: Json = False,
) -> None:
    """Run agents on competitions, several seeds each, then grade and report.

    The same command goes on where an earlier one was cut short, and ends in the same table.

    Example: mlebench run --agent baseline --split demo --seeds 3
    """
    from mlebench.agents.registry import get_agent
    from mlebench.registry import Registry
    from mlebench.runs.plan import Plan, check_group_name
    from mlebench.sandbox import isolating_sandbox
    from mlebench.sandbox.base import Limits

    registry = open_registry(data_dir, folder)
    if rehearsal:
        registry = Registry(registry.get_data_dir() / REHEARSAL_FOLDER, registry.folders)
    chosen = {agent.id: agent for agent in map(get_agent, agents)}
    if len(chosen) < len(agents):
        raise UsageError("Two of the agents have the same id.")
    if group is not None:
        check_group_name(group)
    competitions = [registry.get_competition(name) for name in chosen_ids(registry, competition_id, split, list_file)]
    parallel = parallel or os.cpu_count() or 1
    plan = Plan(
        agents=chosen,
        competitions={competition.label: competition for competition in competitions},
        seeds=seeds,
        sandbox=isolating_sandbox() if sandbox == "auto" else sandbox,
        limits=Limits(
            seconds=seconds(time_limit),
            grace=seconds(grace),
            cpus=cpus or max(1.0, (os.cpu_count() or 1) / parallel),
            memory=int(memory * GiB),
            disk=int(disk * GiB),
        ),
    )
    ensure_prepared(competitions, rehearsal=rehearsal)
    target = runs_dir / (group or plan.default_name(split))
    run_and_report(plan, target, registry, parallel, json=json)


def ensure_prepared(competitions: list[Competition], *, rehearsal: bool) -> None:
    """Prepare what needs no download; name everything else that is not prepared, all at once."""
    from mlebench.data import is_dataset_prepared, prepare

    missing = []
    for competition in competitions:
        if competition.is_embedded:
            prepare(competition)
        elif rehearsal:
            prepare(competition, rehearsal=True)
        elif not is_dataset_prepared(competition):
            missing.append(competition.label)
    if missing:
        raise NotPreparedError(
            f"Not prepared: {', '.join(missing)}. Prepare them with: mlebench prepare -c {missing[0]} and so on; "
            "or run on tiny synthetic data with --rehearsal."
        )


def run_and_report(plan: Plan, target: Path, registry: Registry, parallel: int, *, json: bool) -> Path:
    """Run a plan with live progress, print the table and write the page; returns the page's path."""
    from mlebench.cli.progress import LiveProgress
    from mlebench.cli.report import write_and_print
    from mlebench.runs.group import run_group
    from mlebench.runs.instructions import spell_seconds
    from mlebench.runs.store import count_graded

    out = console(stderr=True)
    total = len(plan.runs)
    done = count_graded(target)
    out.print(
        f"Group {target}: {total} runs ({len(plan.agents)} agents x {len(plan.competitions)} competitions x "
        f"{plan.seeds} seeds), {done} done, {parallel} at a time in {plan.sandbox}, "
        f"at most {spell_seconds(plan.limits.seconds)} each.",
        soft_wrap=True,
    )
    with LiveProgress(total, done) as progress:
        run_group(plan, target, registry, parallel=parallel, progress=progress)
    return write_and_print([target], target, json=json)


def seconds(text: str) -> float:
    """Return a duration such as `90s`, `45m`, `24h` or `3600` in seconds."""
    units = {"s": 1, "m": 60, "h": 3600, "d": 86400}
    number, unit = (text[:-1], text[-1]) if text[-1:] in units else (text, "s")
    try:
        value = float(number) * units[unit]
    except ValueError:
        value = -1.0
    if not 0 <= value < float("inf"):
        raise UsageError(f"A duration is a number with s, m, h or d, such as 90s or 24h, not {text!r}.")
    return value
