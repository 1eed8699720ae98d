from __future__ import annotations

import typer

from mlebench.cli.command import Command
from mlebench.cli.options import Json
from mlebench.cli.output import console, print_json

app = typer.Typer(help="Agents: those that come along, and those of plugin packages.", no_args_is_help=True)


@app.callback()
def root() -> None:
    pass


@app.command("list", cls=Command)
def list_agents(json: Json = False) -> None:
    """List the agents that can be run by name.

    Example: mlebench agent list
    """
    from mlebench.agents.registry import agent_folders, get_agent

    declarations = [get_agent(name).declaration for name in agent_folders()]
    if json:
        print_json([declaration.model_dump(mode="json") for declaration in declarations])
        return
    for declaration in declarations:
        console().print(f"[bold]{declaration.id:<12}[/bold] {declaration.description}", soft_wrap=True)
