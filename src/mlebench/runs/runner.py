"""Making an attempt and recording it: what it came to, whose failure it was, and the seal on its files."""

from __future__ import annotations

import dataclasses
import logging
from contextlib import suppress
from typing import TYPE_CHECKING

from mlebench.ground.clock import now
from mlebench.runs.attempt import Attempt, AttemptResult
from mlebench.runs.incidents import Incidents, is_unfit
from mlebench.runs.record import Status
from mlebench.runs.seal import seal
from mlebench.sandbox.ending import Ending, Reason

if TYPE_CHECKING:
    from pathlib import Path

    from mlebench.agents.declaration import Agent
    from mlebench.runs.context import RunContext
    from mlebench.runs.record import RunRecord
    from mlebench.sandbox.base import EventSink
    from mlebench.tasks.competition import Competition

logger = logging.getLogger(__name__)


def run_attempt(
    context: RunContext,
    run: RunRecord,
    *,
    agent: Agent,
    competition: Competition,
    folder: Path,
    events: EventSink,
    gpus: tuple[int, ...] = (),
) -> RunRecord:
    """Make one attempt and return the run's new record.

    Parameters
    ----------
    context
        What is the same for all runs of the group.
    run
        The run's record, at the attempt to make.
    agent, competition
        Who works on what.
    folder
        The attempt's folder, which exists.
    events
        Receives the attempt's events.
    gpus
        Indices of the GPUs that the run gets.

    Returns
    -------
    RunRecord
        `ended`, or `planned` again where the harness failed or was told to stop.

    Raises
    ------
    OSError
        This machine failed, such as a full disk.
    EnvironmentUnfitError
        This machine lacks something; another attempt cannot do better.
    """
    limits = dataclasses.replace(context.limits, gpus=gpus or None)
    incidents = Incidents(run.run_id, events)
    try:
        result = Attempt(context, run, agent, competition, folder, limits, events).make(incidents)
    except Exception as error:
        if incidents.ending is not None and not is_unfit(error):
            incidents.add("finishing the attempt", error)
            result = AttemptResult(incidents.ending)
        else:
            with suppress(OSError):  # the disk may be full
                events("harness_fault", message=repr(error))
            if is_unfit(error):
                raise
            logger.exception("The harness failed in run %s.", run.run_id)
            result = AttemptResult(Ending(Reason.HARNESS, None, 0.0, f"The harness failed: {error}"))
    with incidents.during("sealing the files"):
        seal(folder, events)
    is_void = result.ending.reason in (Reason.STOPPED, Reason.HARNESS)
    fields = {field.name: getattr(result, field.name) for field in dataclasses.fields(result)}
    status = Status.PLANNED if is_void else Status.ENDED
    return run.model_copy(update={**fields, "incident": incidents.summary, "status": status, "ended_at": now()})
