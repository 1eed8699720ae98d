from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mlebench.cli.experiment import choose_agents, fill, parts
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
from mlebench.cli.output import console, print_json
from mlebench.cli.resources import Cpus, Disk, Gpus, Grace, Memory, ProfileName, TimeLimit, resources
from mlebench.errors import NotPreparedError, UsageError

if TYPE_CHECKING:
    from mlebench.gateway.models import ModelsConfig
    from mlebench.runs.forecast import Forecast
    from mlebench.runs.plan import Models, Plan
    from mlebench.runs.slots import Slots
    from mlebench.sandbox.network import Network
    from mlebench.tasks.competition import Competition
    from mlebench.tasks.registry import Registry

REHEARSAL_FOLDER = "rehearsal"
"""Folder inside the data directory for the data of `run --rehearsal`, apart from real ones."""


def run(
    agents: Annotated[
        list[str] | None, typer.Option("--agent", help="An agent's name, or the folder of your own; may be repeated.")
    ] = None,
    experiment: Annotated[
        str | None,
        typer.Option(
            help="A name such as paper/aide-gpt-4o, or a YAML file: agents, competitions, seeds, limits and models in "
            "one. Other options replace what it says."
        ),
    ] = None,
    model: Annotated[
        str | None, typer.Option(help="The model that agents ask, in place of the one that they declare.")
    ] = None,
    competition_id: CompetitionIds = None,
    split: Split = None,
    list_file: ListFile = None,
    seeds: Annotated[
        int | None, typer.Option(min=1, help="How many times each agent tries each competition.  [default: 1]")
    ] = None,
    parallel: Annotated[
        int | None, typer.Option(min=1, help="Runs at the same time; by default as many as fit on this machine.")
    ] = None,
    profile: ProfileName = None,
    time_limit: TimeLimit = None,
    grace: Grace = "10s",
    memory: Memory = None,
    cpus: Cpus = None,
    disk: Disk = None,
    gpus: Gpus = None,
    sandbox: Annotated[
        str, typer.Option(help="auto or a name of `mlebench doctor`; auto never takes process, which isolates nothing.")
    ] = "auto",
    network: Annotated[
        str,
        typer.Option(help="closed or open; open needs docker or podman, and every report says so."),
    ] = "closed",
    models: Annotated[
        Path | None, typer.Option(help="File that says which models agents may ask, and their budget (docs/models.md).")
    ] = None,
    model_mode: Annotated[
        str, typer.Option(help="live, record, replay or continue; all but live need --recording.")
    ] = "live",
    recording: Annotated[Path | None, typer.Option(help="File with the answers of models.")] = None,
    obfuscated: Annotated[
        bool, typer.Option("--obfuscated", help="Give agents the brief that does not name the competition.")
    ] = False,
    group: Annotated[str | None, typer.Option(help="Name of the group; by default made of what runs.")] = None,
    rehearsal: Annotated[
        bool, typer.Option("--rehearsal", help="Run on tiny synthetic data; never counts as a result.")
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only say what would run and what it takes at most.")
    ] = False,
    runs_dir: RunsDir = Path("runs"),
    data_dir: DataDir = None,
    folder: Folders = None,
    json: Json = False,
) -> Path | None:
    """Run agents on competitions, several seeds each, then grade and report.

    The same command goes on where an earlier one was cut short, and ends in the same table.

    Example: mlebench run --agent baseline --split demo --seeds 3
    """
    given = dict(locals())
    from mlebench.runs.forecast import Forecast
    from mlebench.runs.plan import Plan, check_group_name
    from mlebench.runs.slots import Slots, fitting
    from mlebench.sandbox import find_isolating_sandbox
    from mlebench.sandbox.gpus import list_gpus
    from mlebench.tasks.registry import Registry

    if experiment is not None:
        if several := parts(experiment):
            if group is not None or json:
                raise UsageError(f"{experiment} makes several groups, so --group and --json make no sense with it.")
            groups = [str(run(**given | {"experiment": part})) for part in several]
            console(stderr=True).print(f"All in one table: mlebench report {' '.join(groups)}", soft_wrap=True)
            return None
        filled = fill(experiment, given)
        agents, competition_id, split, seeds = filled.agents, filled.competition_ids, filled.split, filled.seeds
        profile, obfuscated = filled.profile, filled.obfuscated
    else:
        filled = None
    registry = open_registry(data_dir, folder)
    if rehearsal:
        registry = Registry(registry.get_data_dir() / REHEARSAL_FOLDER, registry.folders)
    chosen = choose_agents(agents, model, filled)
    if group is not None:
        check_group_name(group)
    competitions = [registry.get_competition(name) for name in chosen_ids(registry, competition_id, split, list_file)]
    allowed = resources(
        profile=profile,
        time_limit=time_limit,
        grace=grace,
        memory=memory,
        cpus=cpus,
        disk=disk,
        gpus=gpus,
        parallel=parallel,
    )
    chosen_network = read_network(network)
    offered = read_models(models, model_mode, recording, filled.models if filled else None)
    plan = Plan(
        agents=chosen,
        competitions={competition.label: competition for competition in competitions},
        seeds=seeds or 1,
        sandbox=find_isolating_sandbox(chosen_network) if sandbox == "auto" else sandbox,
        network=chosen_network,
        limits=allowed.limits,
        profile=allowed.profile,
        gpus=allowed.gpus,
        obfuscated=obfuscated,
        models=offered.listing(chosen.values()) if offered else None,
        experiment=filled.name if filled else None,
    )
    there = range(len(list_gpus())) if allowed.gpus else range(0)
    fit = fitting(allowed.limits, gpus_each=allowed.gpus, gpus=len(there))
    slots = Slots(parallel or fit, allowed.gpus, there)
    target = runs_dir / (group or plan.default_name(split))
    if dry_run:
        _show_forecast(plan, target, Forecast.of(plan, target, slots.number), json=json)
        return target
    ensure_prepared(competitions, rehearsal=rehearsal)
    ensure_installed(plan)
    run_and_report(plan, target, registry, slots, json=json)
    return target


def read_network(word: str) -> Network:
    """Return the network that a word means."""
    from typing import get_args

    from mlebench.errors import UnknownNameError
    from mlebench.sandbox.network import Network

    if word not in get_args(Network):
        raise UnknownNameError("network", word, get_args(Network))
    return word  # type: ignore[return-value]


def read_models(
    path: Path | None, mode: str, recording: Path | None, otherwise: ModelsConfig | None = None
) -> Models | None:
    """Return the models that the options offer to agents; without a file, those of the experiment."""
    from typing import get_args

    from mlebench.errors import UnknownNameError
    from mlebench.gateway.models import Mode, ModelsConfig
    from mlebench.runs.plan import Models

    if path is None and otherwise is None:
        if recording is not None or mode != "live":
            raise UsageError("A recording needs --models, which says what agents may ask for.")
        return None
    if mode not in get_args(Mode):
        raise UnknownNameError("mode", mode, get_args(Mode))
    if (mode == "live") != (recording is None):
        raise UsageError(f"--model-mode {mode} {'takes no' if mode == 'live' else 'needs a'} --recording.")
    config = otherwise if path is None else ModelsConfig.read(path)
    return Models(config, mode, recording)  # type: ignore[arg-type]


def _show_forecast(plan: Plan, target: Path, forecast: Forecast, *, json: bool) -> None:
    import dataclasses

    if json:
        print_json({"group": str(target), **dataclasses.asdict(forecast), "run_ids": [run.run_id for run in plan.runs]})
        return
    out = console()
    for line in headline(plan, target, forecast):
        out.print(line, soft_wrap=True)
    for made in plan.runs:
        out.print(made.run_id, soft_wrap=True)


def registry_of_group(group: Path, registry: Registry) -> Registry:
    """Return the registry whose data a group ran on: the given one, or its data for rehearsals."""
    from mlebench.data import Source
    from mlebench.runs.record import GroupRecord
    from mlebench.runs.store import METADATA, read_record
    from mlebench.tasks.registry import Registry

    record = read_record(group / METADATA, GroupRecord)
    rehearsal = registry.get_data_dir() / REHEARSAL_FOLDER
    if rehearsal.is_dir() and any(run.verdict and run.verdict.data == Source.REHEARSAL for run in record.runs.values()):
        return Registry(rehearsal, registry.folders)
    return registry


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
            f"Not prepared: {', '.join(missing)}. Prepare what is missing, as in mlebench prepare -c {missing[0]}, "
            "or run on tiny synthetic data with --rehearsal."
        )


def ensure_installed(plan: Plan) -> None:
    """Install the packages of a plan's agents for its sandbox, where that is still to be done."""
    from mlebench.agents.installation import find_installation, install_agent

    out = console(stderr=True)
    for agent in plan.agents.values():
        if find_installation(agent, plan.sandbox, gpu=plan.gpus > 0) is None:
            with out.status(f"Installing {agent.id} for {plan.sandbox}, once; this may take some minutes."):
                install_agent(agent, sandbox=plan.sandbox, gpu=plan.gpus > 0)


def run_and_report(plan: Plan, target: Path, registry: Registry, slots: Slots, *, json: bool) -> Path:
    """Run a plan with live progress, print the table and write the page; returns the page's path."""
    from mlebench.cli.progress import LiveProgress
    from mlebench.cli.report import write_and_print
    from mlebench.runs.forecast import Forecast
    from mlebench.runs.group import run_group

    out = console(stderr=True)
    forecast = Forecast.of(plan, target, slots.number)
    for line in headline(plan, target, forecast):
        out.print(line, soft_wrap=True)
    with LiveProgress(forecast.runs, forecast.done) as progress:
        run_group(plan, target, registry, slots=slots, progress=progress)
    return write_and_print(target, registry, json=json)


def headline(plan: Plan, target: Path, forecast: Forecast) -> list[str]:
    """Return what a plan is and takes at most, in a few lines."""
    from mlebench.ground.wording import count, format_binary_size, format_duration, format_money
    from mlebench.runs.instructions import hardware_in_words

    limits = plan.limits
    gpus = f", {plan.gpus} GPUs" if plan.gpus else ""
    lines = [
        f"Group {target}: {count(forecast.runs, 'run')} ({count(plan.agents, 'agent')} x "
        f"{count(plan.competitions, 'competition')} x {count(plan.seeds, 'seed')}), {forecast.done} done, "
        f"{forecast.at_a_time} at a time in {plan.sandbox}"
        + (", WITH AN OPEN NETWORK." if plan.record.network == "open" else "."),
        f"Each: {format_duration(limits.seconds)}, {hardware_in_words(limits).removesuffix(', no GPU')}{gpus}"
        + (f", profile {plan.profile}." if plan.profile else "."),
        f"At most: {format_duration(forecast.hours * 3600)} for what is left"
        + (f", {format_binary_size(forecast.disk)} on disk at a time" if forecast.disk else "")
        + (f", {format_money(forecast.money)} for models" if forecast.money is not None else "")
        + ".",
    ]
    if forecast.disk and forecast.disk > forecast.disk_free:
        lines.append(f"Warning: only {format_binary_size(forecast.disk_free)} are free on the disk of {target.parent}.")
    return lines
