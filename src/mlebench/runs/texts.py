"""The text of a task that an agent gets, in its instructions and as `description.md` in its data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from mlebench.data import DESCRIPTION, read_manifest

if TYPE_CHECKING:
    from mlebench.tasks.competition import Competition

Description = Literal["brief", "kaggle", "obfuscated"]


def description_of(competition: Competition, *, obfuscated: bool) -> Description:
    """Return which text an agent gets: Kaggle's pages if they were fetched with the data, else our brief."""
    if obfuscated:
        return "obfuscated"
    manifest = read_manifest(competition)
    return "brief" if manifest is None else manifest.description


def task_text(competition: Competition, description: Description) -> str:
    """Return the text of a task."""
    if description == "kaggle":
        return (competition.public_dir / DESCRIPTION).read_text(encoding="utf-8")
    return competition.brief(obfuscated=description == "obfuscated")
