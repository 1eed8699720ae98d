"""The result of preparing one competition of several."""

from __future__ import annotations

from typing import Literal, Self

from pydantic import BaseModel, ConfigDict

from mlebench.data.manifest import Manifest
from mlebench.errors import MLEBenchError, PreparationError

PrepareOutcome = Literal["made", "verified", "already there", "failed"]


class PrepareResult(BaseModel):
    """What became of a competition: its manifest, or why it failed."""

    model_config = ConfigDict(frozen=True)

    label: str
    """The competition's id, with `@v2` for that version."""
    outcome: PrepareOutcome
    """`verified` means that another program prepared the data, and that they are those on record."""
    seconds: float
    manifest: Manifest | None = None
    """None if it failed."""
    error: str | None = None
    """Why it failed."""
    exit_code: int = 0
    """The exit code that the command line returns for the error."""

    @classmethod
    def of_error(cls, label: str, seconds: float, error: BaseException) -> Self:
        """Return the result for a competition whose preparation raised."""
        is_expected = isinstance(error, MLEBenchError | OSError)
        text = str(error) if is_expected else f"{type(error).__name__}: {error}"
        code = error.exit_code if isinstance(error, MLEBenchError) else PreparationError.exit_code
        return cls(label=label, outcome="failed", seconds=seconds, error=text, exit_code=code)
