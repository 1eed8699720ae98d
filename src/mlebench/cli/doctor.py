from __future__ import annotations

import os
import shutil
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import typer

from mlebench.cli.options import DataDir, Json, open_registry
from mlebench.cli.output import console, print_json
from mlebench.errors import EnvironmentUnfitError

GiB = 1024**3
DISK_NEEDED = {"the demo": 1, "the split low": 200, "all 75 competitions": 3300}
"""GiB."""


class Finding(NamedTuple):
    """One thing that was looked at."""

    name: str
    works: bool
    needed: bool
    """Whether anything at all can be measured without it."""
    facts: str
    remedy: str = ""


def doctor(data_dir: DataDir = None, json: Json = False) -> None:
    """Say what this machine has, what it lacks, and how to get it.

    The exit code is 3 if something is missing without which no run can be believed.

    Example: mlebench doctor
    """
    findings = [
        _python(),
        *_sandboxes(),
        *_images(),
        _memory(),
        _disk(open_registry(data_dir, None).get_data_dir()),
        _gpu(),
        _kaggle(),
    ]
    healthy = all(finding.works for finding in findings if finding.needed)
    if json:
        document: dict[str, Any] = {"healthy": healthy, "findings": [finding._asdict() for finding in findings]}
        print_json(document)
    else:
        out = console()
        for finding in findings:
            mark, colour = (
                ("ok", "green") if finding.works else ("missing", "red") if finding.needed else ("none", "yellow")
            )
            out.print(f"{mark:<9}", style=colour, end="")
            out.print(f"{finding.name:<13}", style="bold", end="")
            out.print(finding.facts, soft_wrap=True)
            if finding.remedy and not finding.works:
                out.print(f"{'':<22}{finding.remedy}", soft_wrap=True)
    raise typer.Exit(0 if healthy else EnvironmentUnfitError.exit_code)


def _python() -> Finding:
    version = ".".join(map(str, sys.version_info[:3]))
    return Finding("python", True, True, f"{version}, {sys.executable}")


def _sandboxes() -> list[Finding]:
    from mlebench.sandbox import get_sandbox, sandbox_names

    findings = []
    for name in sandbox_names():
        sandbox = get_sandbox(name)
        obstacle = sandbox.probe()
        isolates = sandbox.guarantees["answers"]
        facts = obstacle or ("isolates" if isolates else "works, but isolates nothing; only for agents that you trust")
        findings.append(Finding(name, obstacle is None, isolates, facts))
    # One of those that isolate is enough; where none works, the first is the one to mend.
    enough = any(finding.works for finding in findings if finding.needed)
    return [
        finding._replace(needed=finding.needed and not enough and number == 0)
        for number, finding in enumerate(findings)
    ]


def _images() -> list[Finding]:
    from mlebench.errors import EngineError
    from mlebench.images.build import list_images
    from mlebench.sandbox.engine import ENGINES, Engine

    findings = []
    for name in ENGINES:
        with suppress(EngineError):
            engine = Engine(name)
            version, images = engine.version(), list_images(engine)
            facts = f"{name} {version} has {', '.join(image.tag for image in images) or 'none of mlebench'}"
            remedy = f"Build one with: mlebench image build --engine {name}."
            findings.append(Finding("images", bool(images), False, facts, remedy))
    return findings


def _memory() -> Finding:
    import psutil

    total = psutil.virtual_memory().total / GiB
    return Finding("memory", total >= 2, True, f"{total:.0f} GiB, {os.cpu_count()} cores", "The demo needs 2 GiB.")


def _disk(data_dir: Path) -> Finding:
    remedy = "Choose another place with --data-dir."
    place = next(path for path in (data_dir, *data_dir.parents) if os.path.lexists(path))
    if not (place.is_dir() and os.access(place, os.W_OK | os.X_OK)):
        return Finding("disk", False, True, f"nothing can be written at {data_dir}", remedy)
    free = shutil.disk_usage(place).free / GiB
    enough = [name for name, needed in DISK_NEEDED.items() if free >= needed]
    facts = f"{free:.0f} GiB free at {data_dir}, enough for {enough[-1] if enough else 'nothing'}"
    return Finding("disk", bool(enough), True, facts, remedy)


def _gpu() -> Finding:
    if not shutil.which("nvidia-smi"):
        return Finding("gpu", False, False, "no nvidia-smi", "Not needed; agents see the processor only.")
    try:
        result = subprocess.run(["nvidia-smi", "-L"], capture_output=True, text=True, timeout=30, check=False)
    except subprocess.TimeoutExpired:
        return Finding("gpu", False, False, "nvidia-smi does not answer", "Its driver hangs; start the machine anew.")
    names = [line.split(" (UUID")[0] for line in result.stdout.splitlines()]
    return Finding("gpu", bool(names), False, "; ".join(names) or "nvidia-smi finds none")


def _kaggle() -> Finding:
    from mlebench.errors import CredentialsError, MissingExtraError
    from mlebench.kaggle.credentials import HOW_TO_AUTHENTICATE, find_credentials

    try:
        credentials = find_credentials()
    except MissingExtraError as error:
        return Finding("kaggle", False, False, "the client for real data is not installed", str(error))
    except (CredentialsError, OSError) as error:
        return Finding("kaggle", False, False, "credentials that cannot be read", str(error))
    if credentials is None:
        return Finding("kaggle", False, False, "no credentials", f"For real data: {HOW_TO_AUTHENTICATE}.")
    return Finding("kaggle", True, False, f"credentials from {credentials.origin}")
