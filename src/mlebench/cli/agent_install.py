from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from mlebench.cli.agent_check import Name
from mlebench.cli.options import Json
from mlebench.cli.output import console, print_json
from mlebench.ground.wording import count, format_binary_size


def install_agent(
    name: Name,
    sandbox: Annotated[
        str, typer.Option(help="Where it is to run: docker and podman get an image, the others an environment.")
    ] = "bubblewrap",
    variant: Annotated[
        str, typer.Option(help="minimal, cpu or cuda: packages in an environment for the code that an agent writes.")
    ] = "minimal",
    python: Annotated[
        Path | None, typer.Option(help="Interpreter to make an environment with; by default one that is new enough.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Install again, even if it is installed.")] = False,
    json: Json = False,
) -> None:
    """Install the packages of an agent, once and outside of every run; `mlebench run` does it where they are missing.

    Example: mlebench agent install aide
    """
    import mlebench

    agent, err = mlebench.get_agent(name), console(stderr=True)
    with err.status(f"Installing {agent.id} for {sandbox}; this may take some minutes."):
        done = mlebench.install_agent(agent, sandbox=sandbox, variant=variant, python=python, force=force)
    facts: dict[str, object] = {"agent": agent.id, "installed": done.is_new}
    if done.image:
        facts = {"agent": agent.id, "image": done.image}
        line = f"{agent.id}: image {done.image}"
    elif made := done.environment:
        facts = made.model_dump(mode="json") | {"digest": made.digest, "installed": done.is_new}
        line = (
            f"{'installed' if done.is_new else 'already installed'}: {agent.id}, {count(made.packages, 'package')}, "
            f"{format_binary_size(made.bytes)} with Python {made.python} in {made.folder}"
        )
    else:
        line = f"The agent {agent.id} brings no packages: it has what every job has."
    if json:
        print_json(facts)
    else:
        (console() if done.digest else err).print(line, soft_wrap=True)
