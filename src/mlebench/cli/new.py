from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mlebench.cli.options import Json
from mlebench.cli.output import console, print_json

if TYPE_CHECKING:
    from mlebench.authoring.task import MadeTask


def new(
    folder: Annotated[Path, typer.Argument(help="The competition's folder; its last part is the competition's id.")],
    source: Annotated[Path, typer.Option("--from", help="The table: a CSV file in UTF-8, a row a case.")],
    target: Annotated[str, typer.Option(help="The column to be predicted.")],
    metric: Annotated[
        str,
        typer.Option(
            help="accuracy, ap, auc, f1 (macro), logloss, mae, mcc, pearson, qwk, rmse, rmsle, or its full name."
        ),
    ],
    id_column: Annotated[
        str | None, typer.Option(help="The column that names a row; without it, rows are numbered.")
    ] = None,
    test_size: Annotated[float, typer.Option(help="The test set's share of the rows.")] = 0.2,
    title: Annotated[str | None, typer.Option(help="The competition's title; by default made of its id.")] = None,
    embed: Annotated[
        bool,
        typer.Option(
            "--embed/--no-embed",
            help="Copy the table into the folder, or leave it out and put synthetic rehearsal data there.",
        ),
    ] = True,
    json: Json = False,
) -> None:
    """Make a competition of a table of your own: declaration, split, briefs, sample, a leaderboard of simple models.

    The folder is tried before it is put in place, and can be run at once. The briefs are complete but for what only you
    can say; fill that in.

    Example: mlebench new my-task --from train.csv --target y --metric auc
    """
    from mlebench.authoring.task import make_task

    out = console(stderr=True)
    with out.status("making the task") as status:
        made = make_task(
            folder,
            source,
            target,
            metric,
            id_column=id_column,
            test_size=test_size,
            title=title,
            embed=embed,
            progress=lambda doing: status.update(f"{doing:.100}"),
        )
    if json:
        print_json(dataclasses.asdict(made) | {"folder": str(made.folder)})
        return
    typer.echo(
        f"{made.folder}: {made.train_rows:,} rows to learn from, {made.test_rows:,} to predict; by {made.metric} the "
        f"sample submission scores {made.sample_score:g} and the best simple model {made.best_score:g}."
    )
    for note in made.notes:
        typer.echo(note)
    typer.echo(_next_steps(made, source))


def _next_steps(made: MadeTask, source: Path) -> str:
    task = f"-c {made.task_id} --folder {made.folder}"
    steps = [f"fill in {made.folder / 'brief.md'}, where it says so in braces"]
    if not made.embedded:
        steps.append(f"mlebench prepare {task} --raw {source.parent}")
    steps += [f"mlebench run --agent baseline {task}", f"mlebench dev check-task {made.folder}"]
    return "What to do next:\n" + "\n".join(f"  {step}" for step in steps)
