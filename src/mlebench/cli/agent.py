from __future__ import annotations

import os
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mlebench.cli.agent_check import Name, check_agent
from mlebench.cli.agent_install import install_agent
from mlebench.cli.command import Command
from mlebench.cli.options import Json
from mlebench.cli.output import console, print_json

if TYPE_CHECKING:
    from mlebench.agents.declaration import Agent

app = typer.Typer(help="Agents: bundled ones, those of plugin packages, and your own.", no_args_is_help=True)


@app.callback()
def root() -> None:
    pass


@app.command("list", cls=Command)
def list_agents(json: Json = False) -> None:
    """List the agents that have a name, and their variants.

    Example: mlebench agent list
    """
    import mlebench

    agents = mlebench.list_agents()
    if json:
        print_json([{"name": agent.name, **agent.declaration.model_dump(mode="json")} for agent in agents])
        return
    width = max(len(agent.name) for agent in agents)
    for agent in agents:
        console().print(f"{agent.name:<{width}}", style="bold", end="")
        console().print(f"  {agent.declaration.description}", soft_wrap=True)


@app.command("show", cls=Command)
def show_agent(name: Name, json: Json = False) -> None:
    """Show an agent's declaration, with the changes of its variant, and what it needs.

    Example: mlebench agent show mlab/paper-gpt-4o
    """
    import mlebench

    agent = mlebench.get_agent(name)
    if json:
        variables = agent.declaration.variables()
        declared = agent.declaration.model_dump(mode="json")
        print_json({"name": agent.name, "folder": str(agent.folder), **declared, "variables": variables})
        return
    variants = mlebench.get_agent(str(agent.folder)).declaration.variants
    out = console()
    for label, text in [*_rows(agent), *(("variant", f"{agent.family}/{variant}") for variant in variants)]:
        out.print(f"{label:<12} ", style="bold", end="")
        out.print(text, soft_wrap=True)


@app.command("new", cls=Command)
def new_agent(
    name: Annotated[str, typer.Argument(help="Lower-case letters, digits and hyphens.")],
    parent: Annotated[Path, typer.Option("--in", help="Folder to write it in.")] = Path(),
) -> None:
    """Write the folder of a new agent, which works from the start.

    Example: mlebench agent new my-agent
    """
    import mlebench

    folder = mlebench.make_agent(name, parent)
    typer.echo(str(folder))
    console(stderr=True).print(f"Check it with: mlebench agent check {folder}", soft_wrap=True)


app.command("check", cls=Command)(check_agent)
app.command("install", cls=Command)(install_agent)


def _rows(agent: Agent) -> list[tuple[str, str]]:
    """Return the facts about an agent, each as a label and a text."""
    declared = agent.declaration
    needs = declared.resources.model_dump(exclude_defaults=True)
    packages = declared.image or (agent.requirements and agent.requirements.name) or "those of every job"
    secrets = (f"{name} ({'set' if os.environ.get(name) else 'not set'})" for name in declared.secrets)
    return [
        ("agent", agent.name),
        ("description", declared.description),
        ("folder", str(agent.folder)),
        ("command", shlex.join(declared.command)),
        ("packages", packages + (f", Python {declared.python} or newer" if declared.python else "")),
        ("models", ", ".join(declared.model.names) or "none"),
        ("secrets", ", ".join(secrets) or "none"),
        ("needs", ", ".join(f"{name} {value:g}" for name, value in needs.items()) or "nothing in particular"),
        *(("variable", f"{name}={value}") for name, value in declared.variables().items()),
    ]
