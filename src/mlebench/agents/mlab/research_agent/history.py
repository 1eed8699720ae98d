"""What the model sees of earlier steps: the last ones in full, and a summary of all if there is a research log."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from .answer import Answer
    from .settings import Settings

SUMMARY = """\
Summarise this step of a research assistant in a few lines, for its research log: why it was taken, what was done, and
what came of it, with numbers. Write only what stands there.

{step}
"""
LOOK_UP = """\
This is the research log of a research assistant:

{log}

Its plan and status now:

{plan}

Write a short summary of the log for it: what was tried, with which results, and what matters for what comes next. Write
only what the log says.
"""
_MAX_CHARACTERS = 60_000
"""Characters at the end of the log that are summarised."""


@dataclass(frozen=True)
class Step:
    """One answer and its observation."""

    answer: Answer
    observation: str
    malformed: bool = False
    """Whether the input of the action could not be parsed."""

    def as_text(self, *, observation: bool = True) -> str:
        seen = f"\n```\n{self.observation}\n```" if observation else " <Done>"
        return f"{self.answer}\nObservation:{seen}\n"


@dataclass
class History:
    """The steps so far."""

    settings: Settings
    steps: list[Step] = field(default_factory=list)

    def add(self, step: Step) -> None:
        """Add a step; a well-formed step removes malformed ones before it."""
        if not step.malformed:
            self.steps = [earlier for earlier in self.steps if not earlier.malformed]
        self.steps.append(step)

    @property
    def has_older(self) -> bool:
        """Whether some steps are no longer shown."""
        return len(self.steps) > self.settings.steps_in_context

    def as_text(self) -> str:
        """Return the last steps as the model sees them."""
        shown = self.steps[-self.settings.steps_in_context :]
        recent = len(shown) - self.settings.observations_in_context
        return "\n".join(step.as_text(observation=number >= recent) for number, step in enumerate(shown))


@dataclass(frozen=True)
class ResearchLog:
    """Summaries of steps, in a file that the run keeps."""

    path: Path

    def add(self, text: str) -> None:
        with self.path.open("a", encoding="utf-8") as file:
            file.write(text.strip() + "\n\n")

    def add_step(self, number: int, step: Step, ask: Callable[[str], str]) -> None:
        """Add a summary of a step."""
        self.add(f"Step {number}: " + ask(SUMMARY.format(step=step.as_text())))

    def read(self) -> str:
        """Return the end of the log."""
        return self.path.read_text(encoding="utf-8")[-_MAX_CHARACTERS:] if self.path.exists() else "The log is empty."

    def look_up(self, plan: str, ask: Callable[[str], str]) -> str:
        """Return a summary of the log for a plan."""
        return ask(LOOK_UP.format(log=self.read(), plan=plan))
