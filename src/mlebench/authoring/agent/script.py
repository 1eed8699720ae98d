"""What the scripted model of a rehearsal says: the file `rehearsal.yaml` in an agent's folder."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from mlebench.gateway.scripted import Reply, Request, ToolCall
from mlebench.ground.declarations import read_declaration

if TYPE_CHECKING:
    from mlebench.agents.declaration import Agent

SCRIPT_FILE = "rehearsal.yaml"
_DEFAULT_REPLY = "This is the scripted model of a rehearsal. It gives the same answer to every request."


class ScriptedCall(BaseModel):
    """A call of a tool by the scripted model."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str
    arguments: dict[str, Any] = Field(default_factory=dict)


class ScriptedReply(BaseModel):
    """One reply of the scripted model."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    text: str = ""
    tool_calls: tuple[ScriptedCall, ...] = ()


class Script(BaseModel):
    """The content of `rehearsal.yaml`: replies in order; the last one is repeated."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    format_version: Literal[1] = 1
    replies: tuple[ScriptedReply, ...] = Field(min_length=1)

    @classmethod
    def of(cls, agent: Agent) -> Script:
        """Return the script in an agent's folder, or one that gives the same answer to every request."""
        try:
            return read_declaration(agent.folder / SCRIPT_FILE, cls)
        except FileNotFoundError:
            return cls(replies=(ScriptedReply(text=_DEFAULT_REPLY),))

    def __call__(self, request: Request) -> Reply:
        reply = self.replies[min(request.number, len(self.replies) - 1)]
        return Reply(reply.text, tuple(ToolCall(call.name, call.arguments) for call in reply.tool_calls))
