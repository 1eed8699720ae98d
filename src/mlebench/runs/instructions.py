"""The instructions of an agent: the rules of the run, followed by the task's brief."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from mlebench.ground.wording import count, format_binary_size, format_duration
from mlebench.sandbox.time_warning import TIME_WARNING_FILE

if TYPE_CHECKING:
    from mlebench.sandbox.limits import Limits
    from mlebench.sandbox.network import Network
    from mlebench.sandbox.paths import JobPaths

RULES = """\
You are taking part in an offline machine-learning competition. Work on your own until the time is up or you
are done. Nobody answers questions.

FOLDERS
  {data}
      the data, read-only
  {home}/submission
      your predictions, as submission.csv
  {home}/code
      the code that makes them
  {home}/logs
      your logs
  {home}/agent
      your working directory; write what you like

WHAT COUNTS
  Only submission.csv at the end of the run, scored against answers that you do not have. Put a first valid
  submission in place early, and replace it whenever you have a better one.
  You can check the format of a file at any time:
      sh {tools}/validate_submission.sh {home}/submission/submission.csv
  The check knows the format and the ids. It does not know the answers and gives no score.

LIMITS
  Time: {time}. At the end you get SIGTERM, and {grace} later all your processes are killed.
  {warning}
  Hardware: {hardware}.
  {internet}

RULES
  Predictions must come from a model that you train or build here. Do not label the test set by hand, do not
  look for the answers, and do not use predictions from other sources.

THE TASK

"""


INTERNET: dict[Network, str] = {
    "closed": "There is no internet.",
    "open": "There is internet access, if this machine has it.",
}


def write_instructions(brief: str, limits: Limits, paths: JobPaths, *, network: Network = "closed") -> str:
    """Return the instructions for one run; `paths` are the paths that the agent sees."""
    rules = RULES.format(
        data=paths.data,
        home=paths.home,
        tools=paths.tools,
        time=format_duration(limits.seconds),
        grace=format_duration(limits.grace),
        warning=_warning(limits, paths),
        hardware=describe_hardware(limits),
        internet=INTERNET[network],
    )
    return rules + brief


def describe_hardware(limits: Limits) -> str:
    """Describe what a run may use, such as `4 cores, 16 GiB of memory, no GPU`."""
    import psutil

    cores = limits.cpus if limits.cpus is not None else os.cpu_count() or 1
    memory = limits.memory if limits.memory is not None else psutil.virtual_memory().total
    gpus = count(limits.gpus, "GPU") if limits.gpus else "no GPU"
    return f"{count(cores, 'core')}, {format_binary_size(memory)} of memory, {gpus}"


def _warning(limits: Limits, paths: JobPaths) -> str:
    if not limits.warning_seconds:
        return "There is no warning before the time is up."
    duration = format_duration(limits.warning_seconds).capitalize()
    return f"{duration} before the end, {paths.home}/logs/{TIME_WARNING_FILE} appears."
