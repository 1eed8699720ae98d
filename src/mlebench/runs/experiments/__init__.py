"""Experiments: everything that a group of runs is made of, one YAML file each, so that one name makes it again."""

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
    """The content of an experiment's file; what the command line says besides replaces what stands here."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    format_version: Literal[1] = 1
    description: str
    of: tuple[str, ...] = ()
    """Names of other experiments, made one after another; then nothing else stands here."""
    agents: tuple[str, ...] = ()
    """As `--agent` takes them."""
    model: str | None = None
    """The model that the agents ask, in place of the one that they declare."""
    roles: dict[str, str] = Field(default_factory=dict)
    """Their models for parts of the work."""
    environment: dict[str, Text] = Field(default_factory=dict)
    """Variables of the agents, in place of those that they declare."""
    competitions: tuple[str, ...] = ()
    split: str | None = None
    seeds: Annotated[int, Field(gt=0)] = 1
    profile: str | None = None
    obfuscated: bool = False
    models: ModelsConfig | None = None
    """What stands in `models.yaml` otherwise."""

    @model_validator(mode="after")
    def _is_one_or_several(self) -> Self:
        if bool(self.of) == bool(self.agents):
            raise ValueError("either agents or the experiments that it is made of have to be named")
        return self


def experiment_names() -> list[str]:
    """Return the names of the experiments that come along."""
    return sorted(path.relative_to(_FOLDER).with_suffix("").as_posix() for path in _FOLDER.rglob("*.yaml"))


def get_experiment(name: str) -> Experiment:
    """Return an experiment by name, or from a YAML file of the user's."""
    path = Path(name)
    if path.suffix in (".yaml", ".yml"):
        try:
            return read_declaration(path, Experiment)
        except FileNotFoundError:
            raise UsageError(f"There is no experiment file {name}.") from None
    if name not in experiment_names():
        raise UnknownNameError("experiment", name, experiment_names())
    return read_declaration(_FOLDER / f"{name}.yaml", Experiment)
