"""Every exception that mlebench raises on purpose.

    MLEBenchError
    ├── UsageError                   the call makes no sense as it stands
    │   └── UnknownNameError         a competition, split, metric, agent or sandbox that does not exist
    ├── DeclarationError             a competition's or an agent's folder declares itself wrongly
    ├── InvalidSubmissionError       a submission is refused, and its author can mend it
    ├── NotPreparedError             grading or running needs data that nobody has prepared yet
    ├── PreparationError             data could not be prepared
    │   ├── RawDataError             the raw data are missing or not those of the competition
    │   ├── ArchiveError             an archive is damaged, or holds what no archive of data should
    │   └── ChecksumError            a file is not the one that is on record
    ├── KaggleError                  Kaggle refuses, or cannot be asked
    │   ├── CredentialsError         there are no credentials, or Kaggle does not take them
    │   ├── RulesNotAcceptedError    the account has not accepted a competition's rules
    │   ├── CompetitionUnavailableError  unknown to Kaggle, or closed to new entrants
    │   ├── RateLimitError           Kaggle wants no further requests for too long a time
    │   ├── NetworkError             Kaggle cannot be reached, or fails
    │   └── TransferError            a download is cut again and again, or was stopped
    ├── RunError                     a group of runs cannot start or go on
    │   └── GroupBusyError           another process is working on the group
    ├── ReportError                  what should be reported on cannot be read
    └── EnvironmentUnfitError        this machine lacks something
        ├── MissingExtraError        an optional dependency is not installed
        ├── DiskFullError            a disk has no room for what is to be written
        └── SandboxUnavailableError  the sandbox asked for does not work here
            └── EngineError          a container engine is missing, or refuses a command

A message is one sentence that names the thing, the reason and the way out. `exit_code` is what the command
line returns: 1 the answer is no, 2 usage, 3 environment.
"""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from collections.abc import Iterable


class MLEBenchError(Exception):
    """Root of the tree: catch this to catch everything that mlebench says on purpose."""

    exit_code: ClassVar[int] = 1


class UsageError(MLEBenchError):
    """Raised when the arguments of a call contradict each other or make no sense."""

    exit_code = 2


class UnknownNameError(UsageError, KeyError):
    """Raised when a name is not among those that exist; the message offers the nearest one."""

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
    """Raised when the folder of a competition or an agent declares itself wrongly."""

    exit_code = 2


class InvalidSubmissionError(MLEBenchError):
    """Raised by checks and grade functions that refuse a submission; the message is for its author."""


class NotPreparedError(MLEBenchError, ValueError):
    """Raised when prepared data are needed and not there."""


class PreparationError(MLEBenchError):
    """Raised when a competition's data cannot be prepared."""


class RawDataError(PreparationError):
    """Raised when raw data are missing, or are not those of the competition."""


class ArchiveError(PreparationError):
    """Raised when an archive is damaged or has members that would leave its folder."""


class ChecksumError(PreparationError, ValueError):
    """Raised when a file differs from the one on record."""


class KaggleError(MLEBenchError):
    """Raised when Kaggle refuses what it is asked, or cannot be asked."""


class CredentialsError(KaggleError):
    """Raised when there are no Kaggle credentials, or Kaggle does not take them; the message names the ways."""

    exit_code = 3


class RulesNotAcceptedError(KaggleError):
    """Raised when the account has not accepted a competition's rules; the message holds their address."""


class CompetitionUnavailableError(KaggleError):
    """Raised when Kaggle does not know a competition or a notebook, or lets nobody in any more."""


class RateLimitError(KaggleError):
    """Raised when Kaggle wants no further requests for longer than is worth waiting."""


class NetworkError(KaggleError):
    """Raised when Kaggle cannot be reached, or fails."""


class TransferError(KaggleError):
    """Raised when a download is cut again and again, or was stopped; what is there is kept and gone on with."""


class RunError(MLEBenchError):
    """Raised when a group of runs cannot start or go on."""


class GroupBusyError(RunError):
    """Raised when another process is working on the same group of runs."""


class ReportError(MLEBenchError):
    """Raised when run groups or grading reports cannot be read."""


class EnvironmentUnfitError(MLEBenchError):
    """Raised when this machine lacks something that the call needs."""

    exit_code = 3


class MissingExtraError(EnvironmentUnfitError, ImportError):
    """Raised when an optional dependency is missing; the message holds the line that installs it."""

    def __init__(self, package: str, extra: str) -> None:
        super().__init__(f"This needs the package {package!r}; install it with: pip install 'mlebench[{extra}]'")


class DiskFullError(EnvironmentUnfitError):
    """Raised when a disk has no room for what is to be written; what is done is kept."""


class SandboxUnavailableError(EnvironmentUnfitError):
    """Raised when the sandbox that was asked for does not work on this machine."""


class EngineError(SandboxUnavailableError):
    """Raised when a container engine does not answer, or refuses what it was told."""
