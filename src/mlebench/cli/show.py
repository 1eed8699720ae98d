from __future__ import annotations

from typing import Annotated

import typer

from mlebench.cli.options import DataDir, Folders, Json, open_registry
from mlebench.cli.output import console, print_json


def show(
    competition_id: Annotated[str, typer.Argument(help="The competition's id, with @v2 for that version.")],
    data_dir: DataDir = None,
    folder: Folders = None,
    json: Json = False,
) -> None:
    """Show what is known about a competition: metric, thresholds, versions, known problems.

    Example: mlebench show spaceship-titanic
    """
    import mlebench
    from mlebench.data import data_source, is_dataset_prepared

    competition = open_registry(data_dir, folder).get_competition(competition_id)
    facts = mlebench.describe_competition(competition)
    data = data_source(competition) if is_dataset_prepared(competition) else None
    if json:
        print_json(facts.as_json() | {"data": data})
        return
    out = console()
    out.print(facts.title, style="bold", end="")
    out.print(f"  ({competition.label}, {facts.year}, {facts.category})")
    low, high = facts.metric.range
    out.print(f"metric       {facts.metric.name}, {facts.direction}, {low:g} to {high:g}")
    board = "teams" if facts.field == "human" else "fitted models (a model field)"
    thresholds = facts.as_json()["thresholds"].items()
    values = ", ".join(f"{name} {value:g}" for name, value in thresholds)
    out.print(f"leaderboard  {len(facts.standings.scores)} {board}: {values}")
    if facts.comparison is not None:
        headline = "" if facts.comparison.headline else "; not in the headline of reports"
        out.print(f"fit          {facts.comparison.fit}: {facts.comparison.meaning}{headline}", soft_wrap=True)
    out.print(f"submission   {facts.submission_form}")
    out.print(f"data         {data or 'not prepared'}; {competition.prepared_dir}", soft_wrap=True)
    for version, changes in facts.versions.items():
        out.print(f"{version:<12} {changes}", soft_wrap=True)
    out.print("known problems" if facts.known_problems else "no known problems")
    for problem in facts.known_problems:
        remedy = f" {problem.remedy}" if problem.remedy else ""
        out.print(f"  {problem.kind}", style="bold", end="")
        out.print(f" ({', '.join(problem.versions)})  {problem.text}{remedy}", soft_wrap=True)
