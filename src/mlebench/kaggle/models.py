"""What Kaggle answers, as plain values."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime

SCRIPT_SUFFIXES = {"python": ".py", "r": ".R", "rmarkdown": ".Rmd", "julia": ".jl", "sqlite": ".sql"}
"""File suffix of a script by its language."""


@dataclass(frozen=True)
class CompetitionInfo:
    """A competition's page."""

    id: str
    title: str
    url: str
    entered: bool
    """Whether this account has joined, and so accepted the rules."""
    deadline: datetime | None = None
    metric: str | None = None


@dataclass(frozen=True)
class DataFile:
    """One file of a competition's data."""

    name: str
    bytes: int


@dataclass(frozen=True)
class Survey:
    """Archive sizes and accepted rules of several competitions."""

    sizes: dict[str, int] = field(default_factory=dict)
    """Bytes of the archives by competition id; only where the rules are accepted and Kaggle gives a size."""
    accepted: dict[str, bool] = field(default_factory=dict)
    """Whether the rules are accepted, by competition id; those with `problems` are left out."""
    problems: dict[str, str] = field(default_factory=dict)
    """Why a competition is not available, by competition id."""

    @property
    def pages(self) -> list[str]:
        """The pages on which rules must still be accepted."""
        return [rules_page(name) for name, accepted in self.accepted.items() if not accepted]


@dataclass(frozen=True)
class Notebook:
    """A public notebook or script."""

    ref: str
    """OWNER/SLUG."""
    source: str
    """The JSON of a notebook, or the text of a script."""
    suffix: str
    """Of the file to store it in: .ipynb, .py, .R, .Rmd, .jl or .sql, and .txt for any other language."""


@dataclass(frozen=True)
class SubmissionScores:
    """The state and the scores of a submission."""

    ref: int
    status: str
    """pending, complete or error."""
    public_score: float | None = None
    private_score: float | None = None
    problem: str | None = None
    """Kaggle's error message."""


def rules_page(competition_id: str) -> str:
    """Return the address of the page on which a competition's rules are accepted."""
    return f"https://www.kaggle.com/c/{competition_id}/rules"


def source_suffix(language: str, kind: str) -> str:
    """Return the file suffix for the source of a notebook or script."""
    return ".ipynb" if kind.lower() == "notebook" else SCRIPT_SUFFIXES.get(language.lower(), ".txt")
