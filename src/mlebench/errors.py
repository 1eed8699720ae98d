"""Every exception that mlebench raises on purpose.

    MLEBenchError
    ├── UsageError                   the arguments of a call are wrong or contradict each other
    │   └── UnknownNameError         there is no such competition, split, metric, agent or sandbox
    ├── DeclarationError             competition.yaml, agent.yaml or their code is wrong
    ├── InvalidSubmissionError       a submission is refused, and its author can fix it
    ├── NotPreparedError             the data are not prepared
    ├── PreparationError             the data cannot be prepared
    │   ├── RawDataError             the raw data are missing, or are not those of the competition
    │   ├── ArchiveError             an archive is damaged, or has members that are not allowed
    │   └── ChecksumError            a file differs from the one on record
    ├── KaggleError                  Kaggle refuses a request, or cannot be reached
    │   ├── CredentialsError         there are no credentials, or Kaggle rejects them
    │   ├── RulesNotAcceptedError    the account has not accepted a competition's rules
    │   ├── CompetitionUnavailableError  unknown to Kaggle, or closed to new participants
    │   ├── RateLimitError           Kaggle accepts no requests for too long
    │   ├── NetworkError             Kaggle cannot be reached, or fails
    │   └── TransferError            a download was interrupted too often, or stopped
    ├── RunError                     a group of runs cannot start or continue
    │   ├── GroupBusyError           another process is working on the group
    │   └── RecordError              a record of a run or a group cannot be read; a ReportError too
    ├── ReportError                  groups or grading reports cannot be read
    └── EnvironmentUnfitError        this machine lacks something
        ├── MissingExtraError        an optional dependency is not installed
        ├── DiskFullError            a disk is full
        └── SandboxUnavailableError  the sandbox does not work on this machine
            └── EngineError          a container engine is missing, or a command of it fails

A message says what is wrong, with the value, and then what to do. `exit_code` is the exit code of the command line:
1 for a negative result, 2 for wrong usage, 3 for an unfit environment.
"""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from collections.abc import Iterable


class MLEBenchError(Exception):
    """Root of the tree; catch it to catch every error that mlebench raises on purpose."""

    exit_code: ClassVar[int] = 1


class UsageError(MLEBenchError):
    """Raised when the arguments of a call are wrong or contradict each other."""

    exit_code = 2


class UnknownNameError(UsageError, KeyError):
    """Raised when a name does not exist; the message suggests the nearest one.

    Parameters
    ----------
    kind
        What is named, such as `competition`.
    name
        The name.
    known
        The names that exist.

    Examples
    --------
    >>> print(UnknownNameError("metric", "acuracy", ["accuracy", "log_loss"]))
    There is no metric named 'acuracy'; did you mean 'accuracy'?
    """

    exit_code = 1

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        known = sorted(map(str, known))
        by_folded = {candidate.casefold(): candidate for candidate in known}
        longer = [folded for folded in by_folded if name and folded.startswith(name.casefold())]
        near = longer if len(longer) == 1 else difflib.get_close_matches(name.casefold(), by_folded, n=1, cutoff=0.5)
        if near:
            hint = f"did you mean {by_folded[near[0]]!r}?"
        elif known:
            hint = f"there are {', '.join(known[:8])}{' and more' if len(known) > 8 else ''}."
        else:
            hint = "there are none."
        self.message = f"There is no {kind} named {str(name)!r}; {hint}"
        super().__init__(self.message)

    def __str__(self) -> str:  # KeyError would print the repr
        return self.message


class DeclarationError(MLEBenchError, ValueError):
    """Raised when the declaration of a competition or an agent is wrong."""

    exit_code = 2


class InvalidSubmissionError(MLEBenchError):
    """Raised by checks and grade functions to refuse a submission; the message tells its author why."""


class NotPreparedError(MLEBenchError, ValueError):
    """Raised when data must be prepared first; the message holds the command."""


class PreparationError(MLEBenchError):
    """Raised when the data of a competition cannot be prepared."""


class RawDataError(PreparationError):
    """Raised when raw data are missing, or are not those of the competition."""


class ArchiveError(PreparationError):
    """Raised when an archive is damaged, or has members that are not allowed."""


class ChecksumError(PreparationError, ValueError):
    """Raised when a file differs from the one on record."""


class KaggleError(MLEBenchError):
    """Raised when Kaggle refuses a request, or cannot be reached."""


class CredentialsError(KaggleError):
    """Raised when there are no Kaggle credentials, or Kaggle rejects them."""

    exit_code = 3


class RulesNotAcceptedError(KaggleError):
    """Raised when the account has not accepted a competition's rules; the message holds their URL."""


class CompetitionUnavailableError(KaggleError):
    """Raised when Kaggle does not know a competition or a notebook, or it is closed to new participants."""


class RateLimitError(KaggleError):
    """Raised when Kaggle accepts no requests for longer than is worth waiting."""


class NetworkError(KaggleError):
    """Raised when Kaggle cannot be reached, or fails."""


class TransferError(KaggleError):
    """Raised when a download was interrupted too often, or stopped; the partial download is kept and resumed."""


class RunError(MLEBenchError):
    """Raised when a group of runs cannot start or continue."""


class GroupBusyError(RunError):
    """Raised when another process is working on the same group of runs."""


class ReportError(MLEBenchError):
    """Raised when run groups or grading reports cannot be read."""


class RecordError(RunError, ReportError):
    """Raised when the record of a run or a group cannot be read."""


class EnvironmentUnfitError(MLEBenchError):
    """Raised when this machine lacks something that a call needs."""

    exit_code = 3


class MissingExtraError(EnvironmentUnfitError, ImportError):
    """Raised when an optional dependency is not installed; the message holds the command."""

    def __init__(self, package: str, extra: str) -> None:
        super().__init__(f"This needs the package {package!r}; install it with: pip install 'mlebench[{extra}]'")


class DiskFullError(EnvironmentUnfitError):
    """Raised when a disk is full; work that is done is kept."""


class SandboxUnavailableError(EnvironmentUnfitError):
    """Raised when a sandbox does not work on this machine."""


class EngineError(SandboxUnavailableError):
    """Raised when a container engine does not answer, or a command of it fails."""
