"""Which text of its task an agent gets: as instructions, and as `description.md` among the data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from mlebench.data import DESCRIPTION, read_manifest

if TYPE_CHECKING:
    from mlebench.tasks.competition import Competition

Description = Literal["brief", "kaggle", "obfuscated"]


def description_of(competition: Competition, *, obfuscated: bool) -> Description:
    """Return which text it is: the competition's own pages where they were fetched when its data were prepared."""
    if obfuscated:
        return "obfuscated"
    manifest = read_manifest(competition)
    return "brief" if manifest is None else manifest.description


def task_text(competition: Competition, description: Description) -> str:
    """Return the text itself."""
    if description == "kaggle":
        return (competition.public_dir / DESCRIPTION).read_text(encoding="utf-8")
    return competition.brief(obfuscated=description == "obfuscated")
