"""Experiments: agents, competitions, limits and models of a group, one YAML file each, so that a name repeats it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from mlebench.agents.declaration import Text
from mlebench.errors import UnknownNameError, UsageError
from mlebench.gateway.models import ModelsConfig
from mlebench.ground.declarations import read_declaration

_FOLDER = Path(__file__).parent


class Experiment(BaseModel):
    """The content of an experiment's file; options of the command line replace parts of it."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    format_version: Literal[1] = 1
    description: str
    of: tuple[str, ...] = ()
    """Names of other experiments, run one after another; then the experiment has no agents of its own."""
    agents: tuple[str, ...] = ()
    """As for `--agent`."""
    model: str | None = None
    """The model that the agents ask, instead of the one that they declare."""
    roles: dict[str, str] = Field(default_factory=dict)
    """Models for parts of the work, by role."""
    environment: dict[str, Text] = Field(default_factory=dict)
    """Environment variables of the agents; they replace those that the agents declare."""
    competitions: tuple[str, ...] = ()
    split: str | None = None
    seeds: Annotated[int, Field(gt=0)] = 1
    profile: str | None = None
    obfuscated: bool = False
    models: ModelsConfig | None = None
    """The models that agents may ask, as in `models.yaml`."""

    @model_validator(mode="after")
    def _is_one_or_several(self) -> Self:
        if bool(self.of) == bool(self.agents):
            raise ValueError("name either agents or, in `of`, other experiments")
        return self


def experiment_names() -> list[str]:
    """Return the names of the bundled experiments."""
    return sorted(path.relative_to(_FOLDER).with_suffix("").as_posix() for path in _FOLDER.rglob("*.yaml"))


def get_experiment(name: str) -> Experiment:
    """Return a bundled experiment by name, or one from a YAML file of the user."""
    path = Path(name)
    if path.suffix in (".yaml", ".yml"):
        try:
            return read_declaration(path, Experiment)
        except FileNotFoundError:
            raise UsageError(f"There is no experiment file {name}.") from None
    if name not in experiment_names():
        raise UnknownNameError("experiment", name, experiment_names())
    return read_declaration(_FOLDER / f"{name}.yaml", Experiment)
