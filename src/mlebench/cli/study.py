from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mlebench.cli.command import Command
from mlebench.cli.options import (
    CompetitionIds,
    DataDir,
    Folders,
    Json,
    ListFile,
    Memory,
    Split,
    TimeLimit,
    open_registry,
)
from mlebench.cli.output import console

if TYPE_CHECKING:
    from mlebench.analysis.studies.pairs import AlignmentRecord, Pair, Side
    from mlebench.analysis.tables import AnyTable

app = typer.Typer(help="Studies of the benchmark itself.", no_args_is_help=True)


@app.callback()
def root() -> None:
    pass


@app.command("alignment", cls=Command)
def alignment(
    solution: Annotated[
        list[str], typer.Option("--solution", help="An agent's name, or the folder of your own; may be repeated.")
    ],
    competition_id: CompetitionIds = None,
    split: Split = None,
    list_file: ListFile = None,
    seeds: Annotated[int, typer.Option(min=1, help="How many times each solution runs on each split.")] = 1,
    time_limit: TimeLimit = None,
    memory: Memory = None,
    sandbox: Annotated[str, typer.Option(help="auto or a name of `mlebench doctor`.")] = "auto",
    output_dir: Annotated[Path, typer.Option(help="The study's folder, with alignment.json.")] = Path("alignment"),
    send: Annotated[
        bool, typer.Option("--send/--no-send", help="Send late submissions to Kaggle; without it, only run.")
    ] = True,
    data_dir: DataDir = None,
    folder: Folders = None,
    json: Json = False,
) -> None:
    """Run solutions on the split here and on Kaggle's own, have Kaggle grade the latter, and compare.

    Needs the data of `mlebench prepare --keep-raw`, and Kaggle's credentials for sending. The same command goes on
    where an earlier one was cut short.

    Example: mlebench study alignment --solution baseline -c leaf-classification
    """
    import os

    from mlebench.agents.registry import get_agent
    from mlebench.analysis.studies.alignment import AlignmentStudy
    from mlebench.cli.progress import LiveProgress
    from mlebench.cli.tables import terminal_table
    from mlebench.kaggle import KaggleClient
    from mlebench.runs.options import RunOptions
    from mlebench.runs.plan import Plan
    from mlebench.runs.resources import Resources
    from mlebench.runs.slots import Slots
    from mlebench.sandbox import find_isolating_sandbox
    from mlebench.tasks.selection import select_competitions

    registry = open_registry(data_dir, folder)
    names = select_competitions(registry, competition_id or (), split, list_file)
    competitions = {one.label: one for one in map(registry.get_competition, names)}
    options = RunOptions.of(time_limit=time_limit, memory=memory, parallel=1)
    agents = [get_agent(name) for name in solution]
    plan = Plan(
        agents={agent.id: agent for agent in agents},
        competitions=competitions,
        seeds=seeds,
        sandbox=find_isolating_sandbox() if sandbox == "auto" else sandbox,
        limits=Resources.of(options).limits,
    )
    study = AlignmentStudy(output_dir, plan)
    out = console(stderr=True)
    with LiveProgress(2 * len(plan.runs), 0) as progress:
        record = study.run(registry, slots=Slots(os.cpu_count() or 1), progress=progress)
    if send:
        client = KaggleClient()
        study.send(client, told=lambda pair: out.print(_sent(pair), soft_wrap=True))
        record = study.fetch(client)
    if json:
        typer.echo(record.as_file(), nl=False)
        return
    console().print(terminal_table(pair_table(record)))
    for sentence in conclusions(record):
        console().print(sentence, soft_wrap=True)


def _sent(pair: Pair) -> str:
    if pair.kaggle_ref is None:
        return f"{pair.run_id}: nothing to send."
    return f"{pair.run_id}: sent to Kaggle as submission {pair.kaggle_ref}."


def pair_table(record: AlignmentRecord) -> AnyTable:
    """A row a pair: score, percentile and medal on both splits."""
    from mlebench.analysis.tables.table import Cell, Column, Table, number, text, whole
    from mlebench.analysis.wording import format_score

    def score(side: Side | None) -> Cell:
        return text(None) if side is None or side.score is None else Cell(format_score(side.score), side.score)

    def percentile(side: Side | None) -> Cell:
        return text(None) if side is None or side.score is None else number(side.percentile)

    def medal(side: Side | None) -> Cell:
        return text(None) if side is None or side.score is None else text(side.medal or "none")

    columns: tuple[Column[Pair], ...] = (
        Column("competition", "Competition", lambda pair: text(pair.competition)),
        Column("solution", "Solution", lambda pair: text(pair.solution)),
        Column("seed", "Seed", lambda pair: whole(pair.seed), "right"),
        Column("score_here", "Score here", lambda pair: score(pair.here), "right"),
        Column("percentile_here", "Percentile here", lambda pair: percentile(pair.here), "right"),
        Column("medal_here", "Medal here", lambda pair: medal(pair.here)),
        Column("score_kaggle", "Score Kaggle", lambda pair: score(pair.kaggle), "right"),
        Column("percentile_kaggle", "Percentile Kaggle", lambda pair: percentile(pair.kaggle), "right"),
        Column("medal_kaggle", "Medal Kaggle", lambda pair: medal(pair.kaggle)),
    )
    return Table(
        name="alignment",
        title="Solutions on the split here and on Kaggle's own",
        caption="Percentile: percent of the private leaderboard's teams that a score is better than or equal to.",
        columns=columns,
        rows=record.pairs,
        is_dense=True,
    )


def conclusions(record: AlignmentRecord) -> list[str]:
    """Return what the pairs say together, and what is missing, a sentence each."""
    said = []
    waiting = [pair for pair in record.pairs if pair.kaggle is None]
    if waiting:
        said.append(f"{len(waiting)} of {len(record.pairs)} are not graded by Kaggle yet; give the same command again.")
    for pair in record.pairs:
        for where, side in (("here", pair.here), ("on Kaggle", pair.kaggle)):
            if side is not None and side.problem:
                said.append(f"{pair.run_id} has no score {where}: {side.problem}")
    found = record.agreement
    if found is None:
        return [*said, "No pair has a score on both sides, so nothing can be compared."]
    between = "" if found.interval is None else f" (95 %: {found.interval[0]:.1f} to {found.interval[1]:.1f})"
    said.append(
        f"Over {found.pairs} pairs, percentiles here are {found.difference:+.1f} points from Kaggle's{between}"
        + ("." if found.permutation_p is None else f", p = {found.permutation_p:.3f} by permutation.")
    )
    if found.correlation is not None:
        ends = found.correlation_interval
        between = "" if ends is None else f" (95 %: {ends[0]:.2f} to {ends[1]:.2f})"
        said.append(f"Their rank correlation is {found.correlation:.2f}{between}.")
    kappa = "" if found.kappa is None else f", weighted kappa {found.kappa:.2f}"
    said.append(
        f"Medals: {found.medals_here} here and {found.medals_kaggle} on Kaggle; the same in {found.same_medal:.0f} % of"
        f" pairs{kappa}."
    )
    return said
