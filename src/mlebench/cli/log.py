from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from mlebench.cli.options import Json, RunsDir
from mlebench.cli.output import console, print_json


def log(
    place: Annotated[str, typer.Argument(metavar="RUN", help="A run's folder, or GROUP/RUN_ID.")],
    attempt: Annotated[int | None, typer.Option(min=1, help="Which attempt; by default the one that counts.")] = None,
    flagged: Annotated[bool, typer.Option("--flagged", help="Only limits, refusals and failures.")] = False,
    runs_dir: RunsDir = Path("runs"),
    json: Json = False,
) -> None:
    """Print the log of a run: what crossed the border of the sandbox, and when.

    Example: mlebench log runs/my-group/demo-wine_dummy_seed-0
    """
    from mlebench.runs import story
    from mlebench.runs.store import find_folder

    events = story.log(find_folder(place, runs_dir), attempt=attempt, flagged=flagged)
    if json:
        print_json(events)
        return
    out = console()
    for seconds, _, sentence in story.story(events):
        out.print(f"{seconds:10.1f} s  {sentence}", soft_wrap=True)
