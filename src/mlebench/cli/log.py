from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from mlebench.cli.options import Json, RunsDir
from mlebench.cli.output import console, print_json


def log(
    place: Annotated[str, typer.Argument(metavar="RUN", help="A run's folder, or GROUP/RUN_ID.")],
    attempt: Annotated[int | None, typer.Option(min=1, help="Which attempt; by default the one that counts.")] = None,
    flagged: Annotated[
        bool, typer.Option("--flagged", help="Only what a reader should see first: limits, refusals, faults.")
    ] = False,
    runs_dir: RunsDir = Path("runs"),
    json: Json = False,
) -> None:
    """Tell the story of a run: what crossed the border of the sandbox, and when.

    Example: mlebench log runs/my-group/demo-wine_dummy_seed-0
    """
    from mlebench.errors import RunError
    from mlebench.runs.events import read_events
    from mlebench.runs.record import RunRecord
    from mlebench.runs.store import RUN, find_folder, read_record
    from mlebench.runs.story import FLAGGED, story

    folder = find_folder(place, runs_dir)
    if not (folder / RUN).is_file():
        runs = sorted(record.parent.name for record in folder.glob(f"*/{RUN}"))
        hint = f"it is a group's: name one of its runs, such as {place}/{runs[0]}" if runs else f"it has no {RUN}"
        raise RunError(f"{folder} is not a run's folder; {hint}.")
    record = read_record(folder / RUN, RunRecord)
    path = folder / "attempts" / str(attempt or record.attempt) / "events.jsonl"
    if not path.exists():
        raise RunError(f"{record.run_id} has no log of attempt {attempt or record.attempt}; it has not started.")
    events = [event for event in read_events(path) if not flagged or event["kind"] in FLAGGED]
    if json:
        print_json(events)
        return
    out = console()
    for seconds, _, sentence in story(events):
        out.print(f"{seconds:10.1f} s  {sentence}", soft_wrap=True)
