"""The record of a group and its log, as they are on disk."""

from __future__ import annotations

import fcntl
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mlebench.errors import RunError
from mlebench.runs.chain import Chain, read_chain
from mlebench.runs.history import History
from mlebench.runs.layout import GROUP_LOG, LOCK
from mlebench.runs.untrusted import open_file, read_file
from mlebench.runs.verify.run import Known

if TYPE_CHECKING:
    from pathlib import Path

    from mlebench.runs.record import GroupRecord

MAX_LOCK = 1024


@dataclass(frozen=True, slots=True)
class Held:
    """The record of a group and its log, as they are on disk."""

    folder: Path
    record: GroupRecord
    chain: Chain | None
    """None for a group without a log."""
    history: History
    closed: str
    """The head of the log when the harness closed the group; empty while a harness works, or if it was killed."""

    @property
    def is_closed(self) -> bool:
        """Whether the harness closed the group, so that no kill explains anything."""
        return self.chain is not None and self.closed == f"{self.chain.head}\n"

    def known(self, run_id: str) -> Known:
        """Return what the group says about a run."""
        steps = tuple(self.history.steps.get(run_id, ())) if self.record.log else None
        return Known(self.record.runs[run_id].as_planned, self.record.head_digest(), steps, self.is_closed)


def hold(folder: Path, record: GroupRecord) -> Held:
    """Read a group's log, without trust; what is wrong with it is found later."""
    chain = None
    if record.log is not None:
        with suppress(RunError):
            chain = read_chain(folder / GROUP_LOG)
    closed = ""
    with suppress(RunError):
        closed = read_file(folder / LOCK, MAX_LOCK).decode("utf-8", "replace")
    return Held(folder, record, chain, History.of(chain.links if chain else ()), closed)


def is_busy(folder: Path) -> bool:
    """Tell whether a harness works on a group."""
    try:
        with open_file(folder / LOCK, MAX_LOCK) as file:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except (OSError, RunError):
        return False
    return False
