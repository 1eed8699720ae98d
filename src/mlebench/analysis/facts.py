"""Properties of competitions, from their declarations, the splits, and the user's own categories."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING

from mlebench.analysis.model import CompetitionFacts
from mlebench.errors import DeclarationError, ReportError, UnknownNameError
from mlebench.tasks.ref import TaskRef

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from mlebench.tasks.registry import Registry

COMPLEXITIES = ("low", "medium", "high")
LABEL_COLUMNS = {"competition_id", "category"}


def find_facts(
    competitions: Iterable[str], registry: Registry | None, categories: Mapping[str, str] | None = None
) -> dict[str, CompetitionFacts]:
    """Return the properties of competitions.

    Parameters
    ----------
    competitions : iterable of str
        Labels, such as `spaceship-titanic@v2`.
    registry : Registry or None
        Where competitions are looked up. One that it does not know has no properties.
    categories : mapping, optional
        Categories by competition id, instead of the declared ones.
    """
    complexity = {id: name for name in COMPLEXITIES for id in registry.get_split(name)} if registry else {}
    found = {}
    for label in competitions:
        ref = _parse(label)
        facts = _declared_facts(ref, registry)
        changes = {
            "complexity": complexity.get(ref.competition_id, facts.complexity),
            "category": (categories or {}).get(ref.competition_id, facts.category),
        }
        found[label] = facts.model_copy(update=changes)
    return found


def _parse(label: str) -> TaskRef:
    """Return the task of a label; grading reports may contain labels that no task has."""
    try:
        return TaskRef.parse(label)
    except UnknownNameError:
        return TaskRef(label)


def _declared_facts(ref: TaskRef, registry: Registry | None) -> CompetitionFacts:
    if registry is None:
        return CompetitionFacts()
    try:
        declared = registry.get_declaration(ref.competition_id)
    except (UnknownNameError, DeclarationError):
        return CompetitionFacts()
    comparison = (declared.at(ref.version) if ref.version in declared.versions else declared).leaderboard
    problems = [str(problem.kind) for problem in declared.known_problems if ref.version in problem.versions]
    return CompetitionFacts(
        complexity=declared.complexity,
        category=declared.category,
        year=declared.year,
        problems=tuple(dict.fromkeys(problems)),
        fit=comparison.fit if comparison else None,
        headline=comparison.headline if comparison else True,
    )


def read_labels(path: Path) -> dict[str, str]:
    """Read your own categories from a CSV file with the columns `competition_id` and `category`.

    Raises
    ------
    ReportError
        The file cannot be read, lacks a column, or names a competition twice.
    """
    try:
        with path.open(newline="", encoding="utf-8-sig") as file:
            reader = csv.DictReader(file)
            missing = LABEL_COLUMNS - set(reader.fieldnames or ())
            if missing:
                raise ReportError(f"The labels {path} have no column {min(missing)!r}; add it to the first line.")
            labels: dict[str, str] = {}
            for row in reader:
                id, category = row["competition_id"], row["category"]
                if not id or not category or id in labels:
                    raise ReportError(
                        f"Line {reader.line_num} of the labels {path} must name a new competition and its category."
                    )
                labels[id] = category
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise ReportError(f"Cannot read the labels {path}: {error}.") from error
    return labels
