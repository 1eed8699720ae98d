"""An agent: a folder with `agent.yaml` and the program that it starts."""

from __future__ import annotations

import shutil
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from mlebench.agents.variants import apply_variant
from mlebench.errors import DeclarationError
from mlebench.ground.declarations import check_declaration, read_yaml
from mlebench.ground.files import DISK_FULL

if TYPE_CHECKING:
    from collections.abc import Mapping

DECLARATION_FILE = "agent.yaml"
REQUIREMENTS_FILE = "requirements.txt"
HELPER = Path(__file__).parent / "inside" / "mlebench_task.py"
"""A module for agents written in Python: the task of a run as a typed object."""


def _as_text(value: Any) -> Any:
    """Convert numbers and booleans of YAML to text, since environment variables are text."""
    return str(value).lower() if isinstance(value, bool) else str(value) if isinstance(value, int | float) else value


Text = Annotated[str, BeforeValidator(_as_text)]
Positive = Annotated[float, Field(gt=0, allow_inf_nan=False)]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class ModelSettings(_Part):
    """The model that an agent asks through the model gateway; environment variables tell the agent."""

    name: str | None = None
    """The model's name in `models.yaml`: variable `MODEL`. None for an agent that asks no model."""
    roles: dict[Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$")], str] = Field(default_factory=dict)
    """Other models for parts of the work, by role: the role `fast` is the variable `MODEL_FAST`."""
    protocol: Literal["openai", "anthropic", "any"] = "openai"
    """The protocol that the agent speaks; `any` if it speaks the one of each model. The gateway does not translate."""
    temperature: Annotated[float, Field(ge=0)] | None = None
    """Variable `MODEL_TEMPERATURE`."""
    max_tokens: Annotated[int, Field(gt=0)] | None = None
    """Maximum output of one call: variable `MODEL_MAX_TOKENS`."""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all models that the agent asks, without duplicates."""
        return tuple(dict.fromkeys(name for name in (self.name, *self.roles.values()) if name))

    def variables(self) -> dict[str, str]:
        """Return these settings as environment variables."""
        settings = {"MODEL": self.name, "MODEL_TEMPERATURE": self.temperature, "MODEL_MAX_TOKENS": self.max_tokens}
        given = {name: str(value) for name, value in settings.items() if value is not None}
        return given | {f"MODEL_{role.upper()}": name for role, name in self.roles.items()}


class Needs(_Part):
    """The minimum that an agent needs; a run with less is refused before it starts."""

    seconds: Positive | None = None
    cpus: Positive | None = None
    memory_gib: Positive | None = None
    disk_gib: Positive | None = None
    gpus: Annotated[int, Field(ge=0)] = 0


class Variant(_Part):
    """What differs in a variant of an agent.

    Mappings are merged, null removes an entry of a mapping, other values replace those of the agent.
    """

    extends: str | None = None
    """The variant of the same agent to build on; by default the agent itself."""
    description: str | None = None
    command: Annotated[tuple[str, ...], Field(min_length=1)] | None = None
    environment: dict[str, Text | None] = Field(default_factory=dict)
    model: dict[str, Any] = Field(default_factory=dict)
    resources: dict[str, Any] = Field(default_factory=dict)
    secrets: tuple[str, ...] | None = None


class AgentDeclaration(_Part):
    """The content of `agent.yaml`."""

    format_version: Literal[1] = 1
    id: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9.-]*$")]
    """Name in reports and run ids. It has no underscore, since run ids are split there."""
    description: str
    command: Annotated[tuple[str, ...], Field(min_length=1)]
    """The command to start in `/home/agent`, a copy of the agent's folder. `{python}` stands for a Python interpreter
    with numpy, pandas, scikit-learn, Pillow and the agent's own requirements."""
    environment: dict[str, Text] = Field(default_factory=dict)
    """Environment variables for the agent."""
    python: Annotated[str, Field(pattern=r"^3\.\d+$")] | None = None
    """The minimum Python version of its requirements, such as `3.12`."""
    requirements: str | None = None
    """The file in the folder that lists its packages; by default `requirements.txt`."""
    locked: bool = False
    """Whether that file pins every package, so installers can skip dependency resolution."""
    image: str | None = None
    """A container image with everything; `docker` and `podman` then ignore the Dockerfile and the requirements."""
    model: ModelSettings = ModelSettings()
    secrets: tuple[Annotated[str, Field(pattern=r"^[A-Z][A-Z0-9_]*$")], ...] = ()
    """Environment variables of the harness with keys for the model gateway; agents never see them."""
    resources: Needs = Needs()
    variants: dict[Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9.-]*$")], Variant] = Field(default_factory=dict)
    """Other settings of the same agent, by name: the variant `smoke` of `aide` is run as `aide/smoke`."""

    def variables(self) -> dict[str, str]:
        """Return the environment variables that the declaration sets: the model's and the agent's own."""
        return self.model.variables() | self.environment


@dataclass(frozen=True)
class Agent:
    """An agent: its declaration, with the changes of a variant applied, and its folder."""

    declaration: AgentDeclaration
    folder: Path
    variant: str | None = None

    @property
    def id(self) -> str:
        """Name in reports and run ids; for a variant such as `aide.smoke`."""
        return self.declaration.id

    @property
    def family(self) -> str:
        """The id without the variant; all agents of a family share files and packages."""
        return self.id.removesuffix(f".{self.variant}") if self.variant else self.id

    @property
    def name(self) -> str:
        """The name that `--agent` takes, such as `aide/smoke`."""
        return f"{self.family}/{self.variant}" if self.variant else self.id

    @property
    def requirements(self) -> Path | None:
        """The file that lists the agent's packages; None if there is none or it lists no package."""
        path = self.folder / (self.declaration.requirements or REQUIREMENTS_FILE)
        lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
        return path if any(line.strip() and not line.lstrip().startswith("#") for line in lines) else None

    def with_settings(
        self,
        *,
        model: str | None = None,
        roles: Mapping[str, str] | None = None,
        environment: Mapping[str, str] | None = None,
    ) -> Agent:
        """Return the agent with other settings; those that are not given stay.

        Parameters
        ----------
        model : str, optional
            Another model.
        roles : mapping of str to str, optional
            Models for roles, merged with those of the declaration.
        environment : mapping of str to str, optional
            Environment variables, merged with those of the declaration.
        """
        declared = self.declaration
        settings = declared.model.model_copy(
            update={"name": model or declared.model.name, "roles": declared.model.roles | dict(roles or {})}
        )
        changes = {"model": settings, "environment": declared.environment | dict(environment or {})}
        return replace(self, declaration=declared.model_copy(update=changes))

    def copy_to(self, folder: Path) -> None:
        """Copy the agent's files and the helper module into a new folder, for a run."""
        failures: list[OSError] = []

        def copy(source: str, target: str) -> None:
            try:
                shutil.copy2(source, target)
            except OSError as error:
                full = error.errno in DISK_FULL  # of the target, and the error names both
                failures.append(OSError(error.errno, error.strerror, target) if full else error)
                raise

        try:
            shutil.copytree(self.folder, folder, ignore=shutil.ignore_patterns("__pycache__"), copy_function=copy)
        except shutil.Error as error:  # it does not say whether the disk is full
            raise failures[0] if failures else error from None
        if not (folder / HELPER.name).exists():
            shutil.copyfile(HELPER, folder / HELPER.name)

    @classmethod
    def read(cls, folder: Path, variant: str | None = None) -> Agent:
        """Read the agent in a folder, or a variant of it.

        Raises
        ------
        DeclarationError
            `agent.yaml` is missing or invalid.
        UnknownNameError
            There is no such variant.
        """
        path = folder / DECLARATION_FILE
        try:
            content = read_yaml(path)
        except FileNotFoundError:
            raise DeclarationError(f"{folder} is not an agent's folder: it has no {DECLARATION_FILE}.") from None
        declaration = check_declaration(content, AgentDeclaration, path)
        if variant is not None:
            declaration = check_declaration(apply_variant(content, variant, path), AgentDeclaration, path)
        if declaration.requirements and not _is_file(folder / declaration.requirements):
            raise DeclarationError(f"{path} names the requirements {declaration.requirements}, which does not exist.")
        return cls(declaration, folder.resolve(), variant)


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:  # the name is too long
        return False
