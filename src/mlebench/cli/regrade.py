from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from mlebench.cli.options import DataDir, Folders, Json, RunsDir, open_registry
from mlebench.cli.output import console, print_json


def regrade(
    group: Annotated[str, typer.Argument(help="A run group, by name or folder.")],
    task_version: Annotated[
        str | None, typer.Option(help="Grade as this version of the tasks, such as v2; by default as before.")
    ] = None,
    runs_dir: RunsDir = Path("runs"),
    data_dir: DataDir = None,
    folder: Folders = None,
    json: Json = False,
) -> None:
    """Grade what a group's agents submitted once more; no agent runs, and the first verdicts stay.

    Example: mlebench regrade runs/my-group --task-version v2
    """
    from mlebench.cli.run import registry_of_group
    from mlebench.errors import UnknownNameError
    from mlebench.runs.regrade import regrade as again
    from mlebench.runs.store import find_folder
    from mlebench.tasks.ref import Version

    if task_version is not None and task_version not in list(Version):
        raise UnknownNameError("version", task_version, list(Version))
    place = find_folder(group, runs_dir)
    registry = registry_of_group(place, open_registry(data_dir, folder))
    out, rows = console(), []
    for run in again(place, registry, Version(task_version) if task_version else None):
        assert run.verdict is not None
        before, after = run.verdict, run.regrades[-1].verdict
        same = (before.outcome, before.score, before.medal) == (after.outcome, after.score, after.medal)
        rows.append(
            {
                "run_id": run.run_id,
                "before": before.model_dump(mode="json"),
                "after": after.model_dump(mode="json"),
                "same": same,
            }
        )
        if not json:
            change = "as before" if same else f"was {_say(before)}"
            out.print(f"{run.run_id}: {_say(after)}, {change}", soft_wrap=True)
    if json:
        print_json(rows)


def _say(verdict: object) -> str:
    from mlebench.grading.reports import Verdict

    assert isinstance(verdict, Verdict)
    score = "no score" if verdict.score is None else f"score {verdict.score:g}"
    return f"{verdict.outcome}, {score}" + (f", {verdict.medal} medal" if verdict.medal else "")
