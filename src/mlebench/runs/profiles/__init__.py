"""Resource profiles: named limits, one YAML file each, so that results name their conditions."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from mlebench.errors import UnknownNameError, UsageError
from mlebench.ground.declarations import read_declaration

_FOLDER = Path(__file__).parent


class Profile(BaseModel):
    """The content of a profile's file."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    description: str
    seconds: Annotated[float, Field(gt=0)]
    """Wall time of a run."""
    cpus: Annotated[float, Field(gt=0)]
    memory_gib: Annotated[float, Field(gt=0)]
    disk_gib: Annotated[float, Field(gt=0)]
    gpus: Annotated[int, Field(ge=0)] = 0
    """Number of GPUs of each run."""


def profile_names() -> list[str]:
    """Return the names of the bundled profiles."""
    return sorted(path.stem for path in _FOLDER.glob("*.yaml"))


def get_profile(name: str) -> tuple[str, Profile]:
    """Return the name and content of a bundled profile, or of a YAML file of the user."""
    path = Path(name)
    if path.suffix in (".yaml", ".yml"):
        try:
            return path.stem, read_declaration(path, Profile)
        except FileNotFoundError:
            raise UsageError(f"There is no profile file {name}.") from None
    if name not in profile_names():
        raise UnknownNameError("profile", name, profile_names())
    return name, read_declaration(_FOLDER / f"{name}.yaml", Profile)
