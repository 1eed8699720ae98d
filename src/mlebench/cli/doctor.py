from __future__ import annotations

import dataclasses

import typer

from mlebench.cli.options import DataDir, Json
from mlebench.cli.output import console, print_json
from mlebench.errors import EnvironmentUnfitError

_MARKS = {"works": ("ok", "green"), "needed": ("missing", "red"), "optional": ("none", "yellow")}


def doctor(data_dir: DataDir = None, json: Json = False) -> None:
    """Check what this machine has, what it lacks, and how to get it.

    The exit code is 3 if something is missing without which no run can be trusted.

    Example: mlebench doctor
    """
    import mlebench

    diagnosis = mlebench.doctor(data_dir)
    if json:
        checks = [dataclasses.asdict(check) for check in diagnosis.checks]
        print_json({"healthy": diagnosis.is_healthy, "findings": checks})
    else:
        out = console()
        for check in diagnosis.checks:
            mark, colour = _MARKS["works" if check.works else "needed" if check.needed else "optional"]
            out.print(f"{mark:<9}", style=colour, end="")
            out.print(f"{check.name:<13}", style="bold", end="")
            out.print(check.facts, soft_wrap=True)
            if check.remedy and not check.works:
                out.print(f"{'':<22}{check.remedy}", soft_wrap=True)
    raise typer.Exit(0 if diagnosis.is_healthy else EnvironmentUnfitError.exit_code)
