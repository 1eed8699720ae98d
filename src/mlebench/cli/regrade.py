from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mlebench.cli.options import DataDir, Folders, Json, RunsDir
from mlebench.cli.output import console, print_json

if TYPE_CHECKING:
    from mlebench.grading.reports import Verdict
    from mlebench.runs.record import RunRecord


def regrade(
    group: Annotated[str, typer.Argument(help="A run group, by name or folder.")],
    task_version: Annotated[
        str | None, typer.Option(help="Grade as this version of the tasks, such as v2; by default as before.")
    ] = None,
    rules: Annotated[
        str | None,
        typer.Option(help="Grade by the rules of this version, such as v2, against the answers of the one that ran."),
    ] = None,
    runs_dir: RunsDir = Path("runs"),
    data_dir: DataDir = None,
    folder: Folders = None,
    json: Json = False,
) -> None:
    """Grade the submissions of a group again. No agent runs, and the first verdicts are kept.

    Example: mlebench regrade runs/my-group --task-version v2
    """
    from mlebench.runs import regrade
    from mlebench.runs.store import find_folder

    out = console()

    def show(run: RunRecord) -> None:
        before, after = _verdicts(run)
        change = "as before" if _is_same(before, after) else f"was {_describe(before)}"
        out.print(f"{run.run_id}: {_describe(after)}, {change}", soft_wrap=True)

    graded = regrade.regrade(
        find_folder(group, runs_dir),
        version=task_version,
        rules=rules,
        data_dir=data_dir,
        folders=folder or (),
        progress=None if json else show,
    )
    if json:
        print_json([_row(run) for run in graded.runs if run.regrades])


def _verdicts(run: RunRecord) -> tuple[Verdict, Verdict]:
    assert run.verdict is not None
    return run.verdict, run.regrades[-1].verdict


def _is_same(before: Verdict, after: Verdict) -> bool:
    return (before.outcome, before.score, before.medal) == (after.outcome, after.score, after.medal)


def _row(run: RunRecord) -> dict[str, object]:
    before, after = _verdicts(run)
    return {
        "run_id": run.run_id,
        "before": before.model_dump(mode="json"),
        "after": after.model_dump(mode="json"),
        "same": _is_same(before, after),
    }


def _describe(verdict: Verdict) -> str:
    score = "no score" if verdict.score is None else f"score {verdict.score:g}"
    return f"{verdict.outcome}, {score}" + (f", {verdict.medal} medal" if verdict.medal else "")
