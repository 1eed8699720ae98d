"""What an agent is: a folder with `agent.yaml` and whatever it starts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from pydantic import BaseModel, ConfigDict, Field

from mlebench.declarations import read_declaration
from mlebench.errors import DeclarationError

if TYPE_CHECKING:
    from pathlib import Path

DECLARATION_FILE = "agent.yaml"


class AgentDeclaration(BaseModel):
    """The content of `agent.yaml`."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9.-]*$")]
    """Name in reports and run ids; no underscore, since run ids are split there."""
    description: str
    command: Annotated[tuple[str, ...], Field(min_length=1)]
    """What to start inside `/home/agent`, a copy of the agent's folder; `{python}` stands for a Python
    interpreter with numpy, pandas, scikit-learn and Pillow."""
    environment: dict[str, str] = Field(default_factory=dict)


@dataclass(frozen=True)
class Agent:
    """An agent's declaration and the folder that it came with."""

    declaration: AgentDeclaration
    folder: Path

    @property
    def id(self) -> str:
        return self.declaration.id

    @classmethod
    def read(cls, folder: Path) -> Agent:
        """Read the agent in a folder."""
        path = folder / DECLARATION_FILE
        try:
            declaration = read_declaration(path, AgentDeclaration)
        except FileNotFoundError:
            raise DeclarationError(f"{folder} is no agent's folder: it has no {DECLARATION_FILE}.") from None
        return cls(declaration, folder.resolve())
