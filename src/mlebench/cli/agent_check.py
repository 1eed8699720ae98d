from __future__ import annotations

import dataclasses
from typing import Annotated

import typer

from mlebench.cli.options import DataDir, Json
from mlebench.cli.output import console, print_json
from mlebench.ground.wording import count

Name = Annotated[str, typer.Argument(help="An agent's name, one of its variants (NAME/VARIANT), or its folder.")]


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
    """Check an agent in a short rehearsal, and say what to fix; exit code 1 if there is anything.

    The agent runs on a demo competition in a sandbox. A scripted model answers it (rehearsal.yaml in its folder).

    Example: mlebench agent check ./my-agent
    """
    import mlebench

    out, err = console(), console(stderr=True)
    check = mlebench.check_agent(
        name, time_limit=time_limit, memory=memory, sandbox=sandbox, data_dir=data_dir, progress=err.print
    )
    run = check.rehearsal.run if check.rehearsal else None
    if json:
        findings = [dataclasses.asdict(finding) for finding in check.findings]
        print_json({"agent": check.agent.id, "findings": findings, "run": run.model_dump(mode="json") if run else None})
    else:
        for finding in sorted(check.findings, key=lambda finding: not finding.fatal):
            label, colour = ("fix", "red") if finding.fatal else ("note", "yellow")
            out.print(f"{label:<6}", style=colour, end="")
            out.print(f"{finding.name}: {finding.sentence}", soft_wrap=True)
        if check.passed and run and run.verdict and run.ending:
            out.print("ok    ", style="green", end="")
            result = f"a valid submission (score {run.verdict.score}) in {count(round(run.ending.seconds), 'second')}"
            out.print(f"{check.agent.id} left {result}.", soft_wrap=True)
    if check.rehearsal and not check.passed:
        err.print(f"The files of the rehearsal are in {check.rehearsal.folder}.", soft_wrap=True)
    raise typer.Exit(0 if check.passed else 1)
