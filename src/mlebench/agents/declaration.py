"""What an agent is: a folder with `agent.yaml` and whatever it starts."""

from __future__ import annotations

import shutil
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from mlebench.agents.variants import resolve
from mlebench.errors import DeclarationError
from mlebench.ground.declarations import check_declaration, read_yaml

if TYPE_CHECKING:
    from collections.abc import Mapping

DECLARATION_FILE = "agent.yaml"
REQUIREMENTS_FILE = "requirements.txt"
HELPER = Path(__file__).parent / "inside" / "mlebench_task.py"
"""A module for agents written in Python: the run's task as a typed object."""


def _as_text(value: Any) -> Any:
    """Take numbers and truth values as they stand in YAML: a process knows nothing but text."""
    return str(value).lower() if isinstance(value, bool) else str(value) if isinstance(value, int | float) else value


Text = Annotated[str, BeforeValidator(_as_text)]
Positive = Annotated[float, Field(gt=0, allow_inf_nan=False)]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class ModelSettings(_Part):
    """Which model an agent asks, and how; it is told by environment variables, and asks the model gateway."""

    name: str | None = None
    """The model, as `models.yaml` calls it: variable `MODEL`. An agent that names none asks none."""
    roles: dict[Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$")], str] = Field(default_factory=dict)
    """Other models for parts of the work, by role: `fast` is the variable `MODEL_FAST`."""
    protocol: Literal["openai", "anthropic", "any"] = "openai"
    """Which protocol the agent speaks, `any` if that of each model; the gateway does not translate."""
    temperature: Annotated[float, Field(ge=0)] | None = None
    """Variable `MODEL_TEMPERATURE`."""
    max_tokens: Annotated[int, Field(gt=0)] | None = None
    """Output of one call at most: variable `MODEL_MAX_TOKENS`."""

    @property
    def names(self) -> tuple[str, ...]:
        """All models that are asked, each once."""
        return tuple(dict.fromkeys(name for name in (self.name, *self.roles.values()) if name))

    def variables(self) -> dict[str, str]:
        """Return the environment variables that tell an agent of this."""
        facts = {"MODEL": self.name, "MODEL_TEMPERATURE": self.temperature, "MODEL_MAX_TOKENS": self.max_tokens}
        told = {name: str(value) for name, value in facts.items() if value is not None}
        return told | {f"MODEL_{role.upper()}": name for role, name in self.roles.items()}


class Needs(_Part):
    """What an agent needs at least to work at all; a run that gives it less is refused before it starts."""

    seconds: Positive | None = None
    cpus: Positive | None = None
    memory_gib: Positive | None = None
    disk_gib: Positive | None = None
    gpus: Annotated[int, Field(ge=0)] = 0


class Variant(_Part):
    """What a variant of an agent does differently. Mappings are merged, other values replace those they meet,
    and null takes an entry of a mapping out."""

    extends: str | None = None
    """Another variant of the same agent that this one builds on; without, the agent itself."""
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
    """Name in reports and run ids; no underscore, since run ids are split there."""
    description: str
    command: Annotated[tuple[str, ...], Field(min_length=1)]
    """What to start inside `/home/agent`, a copy of the agent's folder; `{python}` stands for a Python
    interpreter with numpy, pandas, scikit-learn and Pillow, and the agent's own requirements."""
    environment: dict[str, Text] = Field(default_factory=dict)
    """Variables for the agent."""
    python: Annotated[str, Field(pattern=r"^3\.\d+$")] | None = None
    """The oldest Python that its requirements work with, such as `3.12`."""
    requirements: str | None = None
    """File in the folder with the packages that it needs; `requirements.txt` without being named."""
    locked: bool = False
    """Whether that file pins every package, so that an installer need not look for what they depend on."""
    image: str | None = None
    """A container image that has everything; then neither Dockerfile nor requirements are looked at in `docker`
    and `podman`."""
    model: ModelSettings = ModelSettings()
    secrets: tuple[Annotated[str, Field(pattern=r"^[A-Z][A-Z0-9_]*$")], ...] = ()
    """Environment variables of the harness whose keys the model gateway needs; agents never see them."""
    resources: Needs = Needs()
    variants: dict[Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9.-]*$")], Variant] = Field(default_factory=dict)
    """Other settings of the same agent, by name: `smoke` of `aide` is run as `aide/smoke`."""

    def variables(self) -> dict[str, str]:
        """Return the environment variables of its own that an agent is started with."""
        return self.model.variables() | self.environment


@dataclass(frozen=True)
class Agent:
    """An agent's declaration, a variant's differences included, and the folder that it came with."""

    declaration: AgentDeclaration
    folder: Path
    variant: str | None = None

    @property
    def id(self) -> str:
        """Name in reports and run ids; of a variant `aide.smoke`."""
        return self.declaration.id

    @property
    def family(self) -> str:
        """The id without the variant: all of a family have the same files and packages."""
        return self.id.removesuffix(f".{self.variant}") if self.variant else self.id

    @property
    def name(self) -> str:
        """What `--agent` takes for an agent that is known by name."""
        return f"{self.family}/{self.variant}" if self.variant else self.id

    @property
    def requirements(self) -> Path | None:
        """The file with the packages that it needs, or None; a file of comments needs none."""
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
        """Return the agent with another model, models for roles and variables; what is not given stays."""
        declared = self.declaration
        settings = declared.model.model_copy(
            update={"name": model or declared.model.name, "roles": declared.model.roles | dict(roles or {})}
        )
        changes = {"model": settings, "environment": declared.environment | dict(environment or {})}
        return replace(self, declaration=declared.model_copy(update=changes))

    def lay_out(self, folder: Path) -> None:
        """Copy its files into a new folder, as a sandbox shows them, and the helper module beside them."""
        shutil.copytree(self.folder, folder, ignore=shutil.ignore_patterns("__pycache__"))
        if not (folder / HELPER.name).exists():
            shutil.copyfile(HELPER, folder / HELPER.name)

    @classmethod
    def read(cls, folder: Path, variant: str | None = None) -> Agent:
        """Read the agent in a folder, or a variant of it; UnknownNameError for a variant that there is not."""
        path = folder / DECLARATION_FILE
        try:
            content = read_yaml(path)
        except FileNotFoundError:
            raise DeclarationError(f"{folder} is no agent's folder: it has no {DECLARATION_FILE}.") from None
        declaration = check_declaration(content, AgentDeclaration, path)
        if variant is not None:
            declaration = check_declaration(resolve(content, variant, path), AgentDeclaration, path)
        if declaration.requirements and not (folder / declaration.requirements).is_file():
            raise DeclarationError(f"{path} names the requirements {declaration.requirements}, which are not there.")
        return cls(declaration, folder.resolve(), variant)
