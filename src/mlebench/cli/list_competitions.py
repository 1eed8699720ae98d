from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mlebench.cli.options import DataDir, Folders, Json, Split, open_registry
from mlebench.cli.output import console, print_json

if TYPE_CHECKING:
    from mlebench.tasks.competition import Competition

COLUMNS = ("id", "category", "complexity", "metric", "better", "data")


def list_competitions(
    split: Split = None, data_dir: DataDir = None, folder: Folders = None, json: Json = False
) -> None:
    """List the competitions, with their metrics and whether their data are prepared.

    Example: mlebench list --split demo
    """
    import mlebench

    registry = open_registry(data_dir, folder)
    found = mlebench.list_competitions(split, registry=registry)
    rows = [_row(competition) for competition in found]
    if json:
        print_json(rows)
        return
    from rich.table import Table

    table = Table(box=None, header_style="bold", pad_edge=False)
    for heading in COLUMNS:
        table.add_column(heading, no_wrap=heading == "id")
    for row in rows:
        table.add_row(*(str(row[name] or "") for name in COLUMNS))
    console().print(table)
    missing = sorted({*registry.get_split(split)} - {competition.label for competition in found}) if split else []
    if missing:
        from mlebench.ground.wording import count, join_names

        sentence = f"{count(missing, 'competition')} of this split not installed: {join_names(missing)}"
        console(stderr=True).print(sentence)


def _row(competition: Competition) -> dict[str, Any]:
    import mlebench
    from mlebench.data import data_source, is_dataset_prepared

    facts = mlebench.describe_competition(competition)
    return {
        "id": facts.id,
        "title": facts.title,
        "year": facts.year,
        "category": facts.category,
        "complexity": facts.complexity,
        "metric": facts.metric.name,
        "better": facts.direction.split()[0],
        "versions": list(facts.versions),
        "data": data_source(competition) if is_dataset_prepared(competition) else None,
    }
