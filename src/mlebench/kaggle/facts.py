"""What Kaggle answers, as plain values."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime


def rules_page(competition_id: str) -> str:
    """Return the address at which a competition's rules are accepted."""
    return f"https://www.kaggle.com/c/{competition_id}/rules"


SCRIPTS = {"python": ".py", "r": ".R", "rmarkdown": ".Rmd", "julia": ".jl", "sqlite": ".sql"}
"""Suffix of the file that a script is kept in, by its language."""


@dataclass(frozen=True)
class CompetitionFacts:
    """What Kaggle says of a competition."""

    id: str
    title: str
    url: str
    entered: bool
    """Whether this account has joined it, and so accepted its rules."""
    deadline: datetime | None = None
    metric: str | None = None


@dataclass(frozen=True)
class DataFile:
    """One of the files of a competition's data."""

    name: str
    bytes: int


@dataclass(frozen=True)
class Survey:
    """What downloading competitions takes, asked up front and all at once."""

    sizes: dict[str, int] = field(default_factory=dict)
    """Bytes of the archives, by id, of those whose rules are accepted and whose size Kaggle tells."""
    accepted: dict[str, bool] = field(default_factory=dict)
    """Whether the rules are accepted, by id; those with `problems` are not here."""
    problems: dict[str, str] = field(default_factory=dict)
    """Why nothing is known of the others: a sentence, by id."""

    @property
    def pages(self) -> list[str]:
        """The pages on which rules are still to be accepted."""
        return [rules_page(name) for name, accepted in self.accepted.items() if not accepted]


@dataclass(frozen=True)
class Notebook:
    """A public notebook or script."""

    ref: str
    """OWNER/SLUG."""
    source: str
    """The JSON of a notebook, or the text of a script."""
    suffix: str
    """Of the file to keep it in: .ipynb, .py, .R, .Rmd, .jl or .sql, and .txt for any other language."""


@dataclass(frozen=True)
class SubmissionScores:
    """What came of a submission."""

    ref: int
    status: str
    """pending, complete or error."""
    public_score: float | None = None
    private_score: float | None = None
    problem: str | None = None
    """What Kaggle says is wrong with it."""


def suffix_of(language: str, kind: str) -> str:
    """Return the suffix of the file that a source is kept in."""
    return ".ipynb" if kind.lower() == "notebook" else SCRIPTS.get(language.lower(), ".txt")
