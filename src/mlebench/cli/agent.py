from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mlebench.cli.command import Command
from mlebench.cli.options import DataDir, Json, open_registry
from mlebench.cli.output import console, print_json

if TYPE_CHECKING:
    from mlebench.agents.declaration import Agent
    from mlebench.authoring.agent.findings import Finding
    from mlebench.authoring.agent.rehearsal import Rehearsed

app = typer.Typer(help="Agents: those that come along, those of plugin packages, and your own.", no_args_is_help=True)
Name = Annotated[str, typer.Argument(help="An agent's name, one of its variants (NAME/VARIANT), or its folder.")]


@app.callback()
def root() -> None:
    pass


@app.command("list", cls=Command)
def list_agents(json: Json = False) -> None:
    """List the agents that can be run by name, and their variants.

    Example: mlebench agent list
    """
    from mlebench.agents.registry import agent_names, get_agent

    agents = {name: get_agent(name) for name in agent_names()}
    if json:
        print_json([{"name": name, **agent.declaration.model_dump(mode="json")} for name, agent in agents.items()])
        return
    width = max(map(len, agents))
    for name, agent in agents.items():
        console().print(f"{name:<{width}}", style="bold", end="")
        console().print(f"  {agent.declaration.description}", soft_wrap=True)


@app.command("show", cls=Command)
def show_agent(name: Name, json: Json = False) -> None:
    """Show how an agent is declared, with what its variant changes, and what it needs.

    Example: mlebench agent show mlab/paper-gpt-4o
    """
    from mlebench.agents.registry import get_agent

    agent = get_agent(name)
    if json:
        declared = agent.declaration.model_dump(mode="json")
        print_json({"name": agent.name, "folder": str(agent.folder), **declared, "variables": _variables(agent)})
        return
    out = console()
    for label, text in _facts(agent):
        out.print(f"{label:<12} ", style="bold", end="")
        out.print(text, soft_wrap=True)


@app.command("new", cls=Command)
def new_agent(
    name: Annotated[str, typer.Argument(help="Lower-case letters, digits and hyphens.")],
    parent: Annotated[Path, typer.Option("--in", help="Folder to make it in.")] = Path(),
) -> None:
    """Make the folder of a new agent, which runs as it stands.

    Example: mlebench agent new my-agent
    """
    from mlebench.authoring.agent.scaffold import make_agent

    folder = make_agent(name, parent)
    typer.echo(str(folder))
    console(stderr=True).print(f"Rehearse it with: mlebench agent check {folder}", soft_wrap=True)


@app.command("check", cls=Command)
def check_agent(
    name: Name,
    time_limit: Annotated[str, typer.Option(help="Wall time of the rehearsal, such as 90s or 5m.")] = "60s",
    memory: Annotated[float, typer.Option(min=0.1, help="GiB of memory.")] = 2.0,
    sandbox: Annotated[
        str, typer.Option(help="auto or a name of `mlebench doctor`; auto is the safest that works.")
    ] = "auto",
    data_dir: DataDir = None,
    json: Json = False,
) -> None:
    """Play a short rehearsal of an agent, and say what a run would trip over.

    It works on a demo competition, in a sandbox as in a run, and asks a model that follows a script (rehearsal.yaml in
    the agent's folder). The exit code is 1 if there is anything to mend.

    Example: mlebench agent check ./my-agent
    """
    import tempfile

    from mlebench.agents.equipment import ensure
    from mlebench.agents.registry import get_agent
    from mlebench.authoring.agent.findings import find_in_folder, find_in_rehearsal
    from mlebench.authoring.agent.rehearsal import COMPETITION, rehearse
    from mlebench.cli.resources import seconds
    from mlebench.sandbox.limits import GiB, Limits

    agent = get_agent(name)
    found, rehearsed, folder = find_in_folder(agent), None, None
    if not found:
        chosen = _sandbox(agent) if sandbox == "auto" else sandbox
        limits = Limits(seconds=seconds(time_limit), grace=3, cpus=1, memory=int(memory * GiB), disk=GiB)
        folder = Path(tempfile.mkdtemp(prefix="mlebench-check-"))
        console(stderr=True).print(f"Rehearsing {agent.id} on {COMPETITION} in {chosen}.")
        ensure(agent, chosen)
        rehearsed = rehearse(agent, folder, open_registry(data_dir, None), sandbox=chosen, limits=limits)
        found = find_in_rehearsal(rehearsed)
    fatal = any(finding.fatal for finding in found)
    if json:
        print_json(_as_json(agent, found, rehearsed))
    else:
        _tell(agent, found, rehearsed)
    if fatal and rehearsed is not None:
        console(stderr=True).print(f"All that it left is in {rehearsed.folder}.", soft_wrap=True)
    elif folder is not None:
        _remove(folder)
    raise typer.Exit(1 if fatal else 0)


@app.command("install", cls=Command)
def install_agent(
    name: Name,
    sandbox: Annotated[
        str, typer.Option(help="Where it is to run: in docker and podman an image is built, elsewhere an environment.")
    ] = "bubblewrap",
    variant: Annotated[
        str, typer.Option(help="minimal, cpu or cuda: the packages for what an agent writes, in an environment.")
    ] = "minimal",
    python: Annotated[
        Path | None, typer.Option(help="Interpreter to make an environment with; by default one that is new enough.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Install even if that was done.")] = False,
    json: Json = False,
) -> None:
    """Install the packages of an agent, once and outside of every run; `mlebench run` does it where it is missing.

    Example: mlebench agent install aide
    """
    from mlebench.agents import environment, equipment
    from mlebench.agents.registry import get_agent

    agent = get_agent(name)
    out = console(stderr=True)
    if not equipment.is_needed(agent, sandbox):
        out.print(f"The agent {agent.id} brings no packages: it has what every job has.", soft_wrap=True)
        if json:
            print_json({"agent": agent.id, "installed": False})
        return
    with out.status(f"Installing {agent.id} for {sandbox}; this may take some minutes."):
        if sandbox in ("docker", "podman"):
            found = equipment.ensure(agent, sandbox)
            facts: dict[str, object] = {"agent": agent.id, "image": found.image}
            line = f"{agent.id}: image {found.image}"
        else:
            made, new = environment.install(agent, base=variant, python=python, force=force)
            facts = made.model_dump(mode="json") | {"digest": made.digest, "installed": new}
            line = (
                f"{'installed' if new else 'there already'}: {agent.id}, {len(made.packages)} packages, "
                f"{made.bytes / 1024**2:.0f} MiB with Python {made.python} in {made.folder}"
            )
    if json:
        print_json(facts)
        return
    console().print(line, soft_wrap=True)


def _sandbox(agent: Agent) -> str:
    """Return the name of the safest sandbox that works here; an agent with an image of its own needs an engine."""
    from mlebench.agents.equipment import brings_image
    from mlebench.errors import SandboxUnavailableError
    from mlebench.sandbox import find_isolating_sandbox, get_sandbox

    if not brings_image(agent):
        return find_isolating_sandbox()
    for name in ("docker", "podman"):
        if get_sandbox(name).probe() is None:
            return name
    raise SandboxUnavailableError(
        f"The agent {agent.id} brings an image, and neither docker nor podman works here; mlebench doctor says why."
    )


def _remove(folder: Path) -> None:
    from mlebench.runs.removal import remove_tree

    remove_tree(folder)


def _variables(agent: Agent) -> dict[str, str]:
    return agent.declaration.variables()


def _facts(agent: Agent) -> list[tuple[str, str]]:
    """Return what there is to say of an agent, a label and a text each."""
    import os
    import shlex

    from mlebench.agents.registry import get_agent

    declared = agent.declaration
    needs = declared.resources.model_dump(exclude_defaults=True)
    origin = declared.image or (agent.requirements and agent.requirements.name) or "what every job has"
    keys = (f"{name} ({'set' if os.environ.get(name) else 'not set'})" for name in declared.secrets)
    rows = [
        ("agent", agent.name),
        ("description", declared.description),
        ("folder", str(agent.folder)),
        ("command", shlex.join(declared.command)),
        ("packages", origin + (f", Python {declared.python} or newer" if declared.python else "")),
        ("models", ", ".join(declared.model.names) or "none"),
        ("secrets", ", ".join(keys) or "none"),
        ("needs", ", ".join(f"{name} {value:g}" for name, value in needs.items()) or "nothing in particular"),
        *(("variable", f"{name}={value}") for name, value in _variables(agent).items()),
    ]
    family = get_agent(str(agent.folder)).declaration
    return [*rows, *(("variant", f"{agent.family}/{name}") for name in family.variants)]


def _as_json(agent: Agent, found: list[Finding], rehearsed: Rehearsed | None) -> dict[str, object]:
    import dataclasses

    run = rehearsed.run.model_dump(mode="json") if rehearsed else None
    return {"agent": agent.id, "findings": [dataclasses.asdict(finding) for finding in found], "run": run}


def _tell(agent: Agent, found: list[Finding], rehearsed: Rehearsed | None) -> None:
    out = console()
    for finding in sorted(found, key=lambda finding: not finding.fatal):
        word, colour = ("mend", "red") if finding.fatal else ("note", "yellow")
        out.print(f"{word}  ", style=colour, end="")
        out.print(f"{finding.name}: {finding.sentence}", soft_wrap=True)
    if rehearsed is not None and not any(finding.fatal for finding in found):
        verdict, ending = rehearsed.run.verdict, rehearsed.run.ending
        score = verdict.score if verdict else None
        seconds = ending.seconds if ending else 0
        out.print("ok    ", style="green", end="")
        out.print(f"{agent.id} left a valid submission (score {score}) in {seconds:.0f} seconds.", soft_wrap=True)
