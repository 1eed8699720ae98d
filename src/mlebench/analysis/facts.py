"""What is known of competitions, whoever ran them: difficulty, kind, year, leaderboard, problems."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING

from pydantic import BaseModel, ConfigDict

from mlebench.errors import DeclarationError, ReportError, UnknownNameError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from mlebench.tasks.registry import Registry

COMPLEXITIES = ("low", "medium", "high")
LABEL_COLUMNS = {"competition_id", "category"}


class CompetitionFacts(BaseModel):
    """What is known of one competition; None is unknown."""

    model_config = ConfigDict(frozen=True)

    complexity: str | None = None
    category: str | None = None
    year: int | None = None
    problems: tuple[str, ...] = ()
    """Kinds of the known problems that the version has, such as `leak` and `metric`."""


def find_facts(
    competitions: Iterable[str], registry: Registry | None, labels: Mapping[str, str] | None = None
) -> dict[str, CompetitionFacts]:
    """Return the facts on competitions, by their labels; `labels` are categories that go before the declared ones."""
    complexity = {id: name for name in COMPLEXITIES for id in registry.get_split(name)} if registry is not None else {}
    found = {}
    for name in competitions:
        id, _, version = name.partition("@")
        facts = _declared(id, version or "v1", registry)
        changes = {
            "complexity": complexity.get(id, facts.complexity),
            "category": (labels or {}).get(id, facts.category),
        }
        found[name] = facts.model_copy(update=changes)
    return found


def _declared(id: str, version: str, registry: Registry | None) -> CompetitionFacts:
    if registry is None:
        return CompetitionFacts()
    try:
        declared = registry.get_declaration(id)
    except (UnknownNameError, DeclarationError):
        return CompetitionFacts()
    return CompetitionFacts(
        complexity=declared.complexity,
        category=declared.category,
        year=declared.year,
        problems=tuple(
            dict.fromkeys(str(known.kind) for known in declared.known_problems if version in known.versions)
        ),
    )


def read_labels(path: Path) -> dict[str, str]:
    """Read a CSV file with the columns `competition_id` and `category`, for categories of one's own.

    Raises
    ------
    ReportError
        If it cannot be read, lacks a column, or names a competition twice.
    """
    try:
        with path.open(newline="", encoding="utf-8-sig") as file:
            reader = csv.DictReader(file)
            missing = LABEL_COLUMNS - set(reader.fieldnames or ())
            if missing:
                raise ReportError(f"The labels {path} lack the column {min(missing)!r}; add it to the first line.")
            labels: dict[str, str] = {}
            for row in reader:
                id, category = row["competition_id"], row["category"]
                if not id or not category or id in labels:
                    raise ReportError(
                        f"Line {reader.line_num} of the labels {path} must name a competition, once, and its category."
                    )
                labels[id] = category
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise ReportError(f"The labels {path} cannot be read: {error}.") from error
    return labels
