from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mlebench.cli.options import DataDir, Folders, Json, Split, open_registry
from mlebench.cli.output import console, print_json

if TYPE_CHECKING:
    from mlebench.tasks.registry import Registry


def list_competitions(
    split: Split = None, data_dir: DataDir = None, folder: Folders = None, json: Json = False
) -> None:
    """List the competitions, with what they ask and whether their data are prepared.

    Example: mlebench list --split demo
    """
    registry = open_registry(data_dir, folder)
    known = registry.list_competition_ids()
    wanted = registry.get_split(split) if split else known
    rows = [_facts(registry, name) for name in wanted if name in known]
    absent = [name for name in wanted if name not in known]
    if json:
        print_json(rows)
        return
    from rich.table import Table

    table = Table(box=None, header_style="bold", pad_edge=False)
    for heading in ("id", "category", "complexity", "metric", "better", "data"):
        table.add_column(heading, no_wrap=heading == "id")
    for row in rows:
        table.add_row(*(str(row[name] or "") for name in ("id", "category", "complexity", "metric", "better", "data")))
    console().print(table)
    if absent:
        console(stderr=True).print(f"{len(absent)} competitions of this split are not built yet: {', '.join(absent)}")


def _facts(registry: Registry, name: str) -> dict[str, Any]:
    from mlebench.data import data_source, is_dataset_prepared

    competition = registry.get_competition(name)
    declared = registry.get_declaration(name)
    return {
        "id": name,
        "title": declared.title,
        "year": declared.year,
        "category": declared.category,
        "complexity": declared.complexity,
        "metric": declared.resolved_metric.name,
        "better": "lower" if declared.resolved_metric.lower_is_better else "higher",
        "versions": ["v1", *declared.versions],
        "data": data_source(competition) if is_dataset_prepared(competition) else None,
    }
