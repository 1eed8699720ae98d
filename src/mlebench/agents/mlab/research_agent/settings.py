"""The agent's settings, from the environment variables that `agent.yaml` declares."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True)
class Settings:
    """How long it goes on, and what it shows the model."""

    max_steps: int = 50
    """Actions that were carried out."""
    agent_max_steps: int = 50
    """Answers, those with an input that could not be read included."""
    max_seconds: float = 5 * 3600
    max_retries: int = 5
    """How often an answer that is not in the format is asked for again."""
    script_seconds: float = 9 * 3600
    retrieval: bool = False
    """Whether there is a research log of summaries, told before the last steps."""
    steps_in_context: int = 3
    observations_in_context: int = 3
    longest_observation: int = 5_000
    """Signs; longer ones are summarised."""
    block: int = 10_000
    """Signs that are summarised at a time."""

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> Settings:
        """Return the settings; variables that are not set leave the defaults."""
        kinds = {name: type(value) for name, value in vars(cls()).items()}
        given = {name: environment[name.upper()] for name in kinds if name.upper() in environment}
        return cls(
            **{name: bool(int(text)) if kinds[name] is bool else kinds[name](text) for name, text in given.items()}
        )
