from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mlebench.cli.command import Command
from mlebench.cli.grouping import with_groups
from mlebench.cli.groups import Choice
from mlebench.cli.options import Json, Memory, TimeLimit
from mlebench.cli.output import console

if TYPE_CHECKING:
    from mlebench.analysis.studies.record import Pair

app = typer.Typer(help="Studies of the benchmark itself.", no_args_is_help=True)


@app.callback()
def root() -> None:
    pass


@app.command("alignment", cls=Command)
@with_groups
def alignment(
    choice: Choice,
    solution: Annotated[
        list[str], typer.Option("--solution", help="An agent's name, or your own agent's folder; may be repeated.")
    ],
    seeds: Annotated[int, typer.Option(min=1, help="Runs of each solution on each split.")] = 1,
    time_limit: TimeLimit = None,
    memory: Memory = None,
    sandbox: Annotated[str, typer.Option(help="auto or a name of `mlebench doctor`.")] = "auto",
    output_dir: Annotated[Path, typer.Option(help="The study's folder, with alignment.json.")] = Path("alignment"),
    send: Annotated[
        bool, typer.Option("--send/--no-send", help="Send late submissions to Kaggle; without it, only run.")
    ] = True,
    json: Json = False,
) -> None:
    """Run solutions on the split here and on Kaggle's own, let Kaggle grade the latter, and compare.

    Needs the data of `mlebench prepare --keep-raw`, and Kaggle's credentials for sending. The same command continues
    an interrupted study. Each submission is sent at most once.

    Example: mlebench study alignment --solution baseline -c leaf-classification
    """
    from mlebench.analysis.studies.alignment import AlignmentStudy
    from mlebench.analysis.studies.findings import describe_findings, pair_table
    from mlebench.cli.progress import LiveProgress
    from mlebench.cli.tables import terminal_table
    from mlebench.kaggle import KaggleClient
    from mlebench.runs.options import RunOptions

    options = RunOptions.of(
        agents=solution,
        seeds=seeds,
        time_limit=time_limit,
        memory=memory,
        sandbox=sandbox,
        runs_dir=output_dir,
        **choice.as_options(),
    )
    study = AlignmentStudy.of(options)
    with LiveProgress(2 * len(study.plan.runs), 0) as progress:
        record = study.run(progress)
    if send:
        client = KaggleClient()
        study.send(client, _print_sent)
        record = study.fetch(client)
    if json:
        typer.echo(record.as_file(), nl=False)
        return
    console().print(terminal_table(pair_table(record)))
    for sentence in describe_findings(record):
        console().print(sentence, soft_wrap=True)


def _print_sent(pair: Pair) -> None:
    sent = "nothing to send" if pair.kaggle_ref is None else f"sent to Kaggle as submission {pair.kaggle_ref}"
    console(stderr=True).print(f"{pair.run_id}: {sent}.", soft_wrap=True)
