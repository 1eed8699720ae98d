"""Concludes how a job ended, from everything that is known after its end."""

from __future__ import annotations

import signal

from mlebench.sandbox.ending import Cause, Ending, Reason

EXIT_KILLED = 128 + signal.SIGKILL
"""Exit code that a shell gives for a command that SIGKILL ended."""


def conclude(
    cause: Cause | None,
    exit_code: int,
    *,
    was_ready: bool,
    kills: int,
    log_tail: str,
    is_clean: bool,
    seconds: float,
    peak_memory: int | None,
) -> Ending:
    """Conclude how a job ended.

    Parameters
    ----------
    cause : Cause or None
        Why the harness ended the job; None if it ended by itself.
    exit_code : int
        As a shell gives it.
    was_ready : bool
        Whether the sandbox got as far as starting the command.
    kills : int
        Processes of the job that were killed because memory ran out.
    log_tail : str
        The end of the job's log, which tells why a sandbox did not start.
    is_clean : bool
        Whether no process of the job is left.
    seconds : float
        Wall time of the job.
    peak_memory : int or None
        Bytes.
    """
    ended_by_itself = True
    if cause is not None:
        ended_by_itself = exit_code != EXIT_KILLED
    elif not was_ready:
        message = log_tail.splitlines()[-1] if log_tail else "no message"
        cause = Cause(Reason.HARNESS, f"The sandbox did not start (exit code {exit_code}): {message}")
    else:
        cause = _judge_exit(exit_code, kills)
    detail = cause.detail
    if not is_clean:
        detail = f"{detail} Some of its processes could not be killed.".strip()
    return Ending(
        reason=cause.reason,
        exit_code=exit_code if ended_by_itself else None,
        seconds=seconds,
        detail=detail,
        peak_memory=peak_memory,
    )


def _judge_exit(exit_code: int, kills: int) -> Cause:
    """Return the cause of an end that the job chose itself, or that the kernel chose because memory ran out."""
    reason = Reason.CRASHED if exit_code else Reason.FINISHED
    if not kills:
        return Cause(reason)
    if exit_code == EXIT_KILLED:
        reason = Reason.MEMORY
    return Cause(reason, f"{kills} of its processes were killed because memory ran out.")
