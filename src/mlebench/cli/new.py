from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mlebench.cli.options import Json
from mlebench.cli.output import console, print_json

if TYPE_CHECKING:
    from mlebench.authoring.task import NewTask


def new(
    folder: Annotated[Path, typer.Argument(help="The competition's folder; its last part is the competition's id.")],
    source: Annotated[Path, typer.Option("--from", help="The table: a CSV file in UTF-8 with a row per case.")],
    target: Annotated[str, typer.Option(help="The column to predict.")],
    metric: Annotated[
        str,
        typer.Option(
            help="accuracy, ap, auc, f1 (macro), logloss, mae, mcc, pearson, qwk, rmse, rmsle, or its full name."
        ),
    ],
    id_column: Annotated[
        str | None, typer.Option(help="The column that identifies a row; without it, rows are numbered.")
    ] = None,
    test_size: Annotated[float, typer.Option(help="The test set's share of the rows.")] = 0.2,
    title: Annotated[str | None, typer.Option(help="The competition's title; by default made from its id.")] = None,
    embed: Annotated[
        bool,
        typer.Option(
            "--embed/--no-embed",
            help="Copy the table into the folder, or leave it out and add synthetic data for rehearsals.",
        ),
    ] = True,
    json: Json = False,
) -> None:
    """Make a competition from a table: declaration, split, briefs, sample, a leaderboard of simple models.

    The new folder is tested before it is moved into place, and can be run at once. The briefs are complete except for
    what only you know: fill that in.

    Example: mlebench new my-task --from train.csv --target y --metric auc
    """
    import mlebench

    with console(stderr=True).status("making the task") as status:
        made = mlebench.make_task(
            folder,
            source,
            target,
            metric,
            id_column=id_column,
            test_size=test_size,
            title=title,
            embed=embed,
            progress=lambda step: status.update(f"{step:.100}"),
        )
    if json:
        print_json(dataclasses.asdict(made) | {"folder": str(made.folder)})
        return
    typer.echo(
        f"{made.folder}: {made.train_rows:,} training rows, {made.test_rows:,} test rows. By {made.metric}, the sample "
        f"submission scores {made.sample_score:g} and the best simple model {made.best_score:g}."
    )
    for note in made.notes:
        typer.echo(note)
    typer.echo("\n  ".join(["Next steps:", *_next_steps(made, source)]))


def _next_steps(made: NewTask, source: Path) -> list[str]:
    task = f"-c {made.task_id} --folder {made.folder}"
    prepare = [] if made.embedded else [f"mlebench prepare {task} --raw {source.parent}"]
    return [
        f"fill in the text in braces in {made.folder / 'brief.md'}",
        *prepare,
        f"mlebench run --agent baseline {task}",
        f"mlebench dev check-task {made.folder}",
    ]
