"""From options to a group that can run: which agents on which tasks, within which limits, in which folder."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, get_args

from mlebench.agents.registry import get_agent
from mlebench.errors import UnknownNameError, UsageError
from mlebench.gateway.models import Mode, ModelsConfig
from mlebench.ground.wording import count, format_binary_size, format_duration, format_money
from mlebench.runs.forecast import Forecast
from mlebench.runs.instructions import describe_hardware
from mlebench.runs.options import FilledOptions, RunOptions
from mlebench.runs.plan import Models, Plan, check_group_name
from mlebench.runs.registries import rehearsal_registry
from mlebench.runs.resources import Resources
from mlebench.runs.slots import Slots, fitting
from mlebench.sandbox import find_isolating_sandbox
from mlebench.sandbox.gpus import list_gpus
from mlebench.sandbox.network import Network
from mlebench.tasks.registry import open_registry
from mlebench.tasks.selection import select_competitions

if TYPE_CHECKING:
    from pathlib import Path

    from mlebench.agents.declaration import Agent
    from mlebench.tasks.registry import Registry


@dataclass(frozen=True)
class PlannedGroup:
    """A group of runs that has not started: its plan, and where and on what it runs."""

    options: RunOptions
    """As given, without what the experiment adds."""
    plan: Plan
    folder: Path
    registry: Registry
    slots: Slots

    @property
    def forecast(self) -> Forecast:
        """What the remaining runs take at most."""
        return Forecast.of(self.plan, self.folder, self.slots.number)

    def summary(self) -> list[str]:
        """Return sentences that say what runs and what it takes at most."""
        plan, forecast = self.plan, self.forecast
        kinds = (("agent", plan.agents), ("competition", plan.competitions), ("seed", plan.seeds))
        size = " x ".join(count(things, noun) for noun, things in kinds)
        hardware = describe_hardware(plan.limits).removesuffix(", no GPU")
        most = [f"{format_duration(forecast.hours * 3600)} for the remaining runs"]
        if forecast.disk:
            most.append(f"{format_binary_size(forecast.disk)} on disk at a time")
        if forecast.money is not None:
            most.append(f"{format_money(forecast.money)} for models")
        lines = [
            f"Group {self.folder}: {count(forecast.runs, 'run')} ({size}), {forecast.done} done, "
            f"{forecast.at_a_time} at a time in {plan.sandbox}"
            f"{', WITH AN OPEN NETWORK' if plan.record.network == 'open' else ''}.",
            f"Limits per run: {format_duration(plan.limits.seconds)}, {hardware}"
            f"{f', {plan.gpus} GPUs' if plan.gpus else ''}{f', profile {plan.profile}' if plan.profile else ''}.",
            f"At most: {', '.join(most)}.",
        ]
        if forecast.disk and forecast.disk > forecast.disk_free:
            free = format_binary_size(forecast.disk_free)
            lines.append(f"Warning: only {free} are free on the disk of {self.folder.parent}.")
        return lines


def plan_group(options: RunOptions) -> PlannedGroup:
    """Plan the group of runs that options describe; nothing is written, prepared or installed.

    Raises
    ------
    UsageError
        An option is missing, wrong, or contradicts another one.
    EnvironmentUnfitError
        This machine lacks the cores, memory, GPUs or sandbox for a single run.
    """
    if options.parts:
        raise UsageError(f"The experiment {options.experiment} consists of several groups. Run its parts one by one.")
    filled = FilledOptions.of(options)
    given, options = options, filled.options
    registry = open_registry(options.data_dir, options.folders)
    if options.rehearsal:
        registry = rehearsal_registry(registry)
    agents = _agents(filled)
    if options.group is not None:
        check_group_name(options.group)
    labels = select_competitions(registry, options.competitions, options.split, options.list_file, options.task_version)
    competitions = [registry.get_competition(label) for label in labels]
    resources = Resources.of(options)
    network, models = _network(options.network), _models(options)
    plan = Plan(
        agents=agents,
        competitions={competition.label: competition for competition in competitions},
        seeds=options.seeds or 1,
        sandbox=find_isolating_sandbox(network) if options.sandbox == "auto" else options.sandbox,
        network=network,
        limits=resources.limits,
        profile=resources.profile,
        gpus=resources.gpus,
        obfuscated=options.obfuscated,
        models=models.listing(agents.values()) if models else None,
        experiment=filled.name,
    )
    folder = options.runs_dir / (options.group or plan.default_name(options.split))
    return PlannedGroup(given, plan, folder, registry, _slots(resources, options.parallel))


def _agents(filled: FilledOptions) -> dict[str, Agent]:
    names, model = filled.options.agents, filled.options.model
    if not names:
        raise UsageError("Name an agent with --agent, or an --experiment.")
    settings = {"roles": filled.roles, "environment": filled.environment}
    agents = [get_agent(name).with_settings(model=model, **settings) for name in names]
    by_id = {agent.id: agent for agent in agents}
    if len(by_id) < len(agents):
        raise UsageError("Two of the agents have the same id.")
    return by_id


def _network(network: str) -> Network:
    if network not in get_args(Network):
        raise UnknownNameError("network", network, get_args(Network))
    return network  # type: ignore[return-value]


def _models(options: RunOptions) -> Models | None:
    mode, recording = options.model_mode, options.recording
    if options.models is None:
        if recording is not None or mode != "live":
            raise UsageError("A recording needs --models, which names the models that agents may ask.")
        return None
    if mode not in get_args(Mode):
        raise UnknownNameError("mode", mode, get_args(Mode))
    if (mode == "live") != (recording is None):
        raise UsageError(f"--model-mode {mode} {'takes no' if mode == 'live' else 'needs a'} --recording.")
    config = options.models if isinstance(options.models, ModelsConfig) else ModelsConfig.read(options.models)
    return Models(config, mode, recording)  # type: ignore[arg-type]


def _slots(resources: Resources, parallel: int | None) -> Slots:
    gpus = range(len(list_gpus())) if resources.gpus else range(0)
    number = fitting(resources.limits, gpus_each=resources.gpus, gpus=len(gpus))
    return Slots(parallel or number, resources.gpus, gpus)
