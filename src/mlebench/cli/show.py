from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from mlebench.cli.options import DataDir, Folders, Json, open_registry
from mlebench.cli.output import console, print_json

if TYPE_CHECKING:
    from mlebench.tasks.competition import Competition


def show(
    competition_id: Annotated[str, typer.Argument(help="The competition's id, with @v2 for that version.")],
    data_dir: DataDir = None,
    folder: Folders = None,
    json: Json = False,
) -> None:
    """Show everything that is known of a competition: metric, thresholds, versions, known problems.

    Example: mlebench show spaceship-titanic
    """
    competition = open_registry(data_dir, folder).get_competition(competition_id)
    facts = _facts(competition)
    if json:
        print_json(facts)
        return
    out = console()
    out.print(facts["title"], style="bold", end="")
    out.print(f"  ({competition.label}, {facts['year']}, {facts['category']})")
    low, high = facts["range"]
    out.print(f"metric       {facts['metric']}, {facts['direction']}, {low:g} to {high:g}")
    board = "teams" if facts["leaderboard"] == "human" else "fitted models (a model field)"
    thresholds = ", ".join(f"{name} {value:g}" for name, value in facts["thresholds"].items())
    out.print(f"leaderboard  {facts['teams']} {board}: {thresholds}")
    out.print(f"submission   {facts['submission_form']}")
    out.print(f"data         {facts['data'] or 'not prepared'}; {competition.prepared_dir}", soft_wrap=True)
    for version, changes in facts["versions"].items():
        out.print(f"{version:<12} {changes}", soft_wrap=True)
    out.print("known problems" if facts["known_problems"] else "no known problems")
    for problem in facts["known_problems"]:
        remedy = f" {problem['remedy']}" if problem["remedy"] else ""
        versions = ", ".join(problem["versions"])
        out.print(f"  {problem['kind']}", style="bold", end="")
        out.print(f" ({versions})  {problem['text']}{remedy}", soft_wrap=True)


def _facts(competition: Competition) -> dict[str, Any]:
    from dataclasses import asdict

    from mlebench.data import data_source, is_dataset_prepared

    declared = competition.declaration
    assert declared is not None  # a competition of a registry is a declared one
    metric = declared.resolved_metric
    shape = declared.submission
    targets = "all other columns of the sample" if shape.targets is None else ", ".join(shape.targets)
    return {
        "id": competition.id,
        "version": competition.version,
        "title": declared.title,
        "year": declared.year,
        "category": declared.category,
        "complexity": declared.complexity,
        "metric": metric.name,
        "direction": "lower is better" if metric.lower_is_better else "higher is better",
        "range": list(metric.range),
        "leaderboard": declared.field,
        "teams": len(competition.standings.scores),
        "thresholds": asdict(competition.standings.thresholds),
        "sample_score": declared.sample_score,
        "submission_form": f"{', '.join(shape.ids)}; {targets} ({shape.values})",
        "versions": {"v1": "the task as the field knows it"}
        | {version: revision.changes for version, revision in declared.versions.items()},
        "known_problems": [problem.model_dump(mode="json") for problem in declared.known_problems],
        "data": data_source(competition) if is_dataset_prepared(competition) else None,
    }
