"""The agent's settings, from the environment variables that `agent.yaml` declares."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True)
class Settings:
    """Limits of the agent, and of what it shows the model."""

    max_steps: int = 50
    """Maximum number of executed actions."""
    agent_max_steps: int = 50
    """Maximum number of answers, including those whose input could not be parsed."""
    max_seconds: float = 5 * 3600
    max_retries: int = 5
    """Retries for an answer that is not in the format."""
    script_seconds: float = 9 * 3600
    retrieval: bool = False
    """Whether to keep a research log and show its summary before the last steps."""
    steps_in_context: int = 3
    observations_in_context: int = 3
    longest_observation: int = 5_000
    """Characters; longer observations are summarised."""
    block: int = 10_000
    """Characters that are summarised at a time."""

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> Settings:
        """Return the settings; unset variables keep the defaults."""
        kinds = {name: type(value) for name, value in vars(cls()).items()}
        given = {name: environment[name.upper()] for name in kinds if name.upper() in environment}
        return cls(
            **{name: bool(int(text)) if kinds[name] is bool else kinds[name](text) for name, text in given.items()}
        )
