"""What an agent is told: `instructions.txt`, the rules of the place followed by the task's brief."""

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
are done; nobody will answer questions.

WHERE THINGS ARE
  {data}
      the data, read-only
  {home}/submission
      leave your predictions here, as submission.csv
  {home}/code
      leave the code that made them here
  {home}/logs
      leave your logs here
  {home}/agent
      your own folder, where you were started; write what you like

WHAT COUNTS
  Only submission.csv at the end of the run, scored against answers that you do not have. Put a first valid
  submission in place early, and replace it whenever you have a better one.
  Whether a file has the right form, you can ask at any time:
      sh {tools}/validate_submission.sh {home}/submission/submission.csv
  The check knows the form and the ids; it does not know the answers and gives no score.

LIMITS
  Time: {time}. At its end you get SIGTERM, and {grace} later everything is stopped.
  {warning}
  Hardware: {hardware}.
  {internet}

RULES
  Predictions must come from a model that you train or build here. Do not label the test set by hand, do not
  look for the answers, and do not write predictions that you know from elsewhere.

THE TASK

"""


INTERNET: dict[Network, str] = {
    "closed": "There is no internet.",
    "open": "There is internet access, as far as this machine has it.",
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
        hardware=hardware_in_words(limits),
        internet=INTERNET[network],
    )
    return rules + brief


def hardware_in_words(limits: Limits) -> str:
    """Return what a run may use of this machine, such as `4 cores, 16 GiB of memory, no GPU`."""
    import psutil

    cores = limits.cpus if limits.cpus is not None else os.cpu_count() or 1
    memory = limits.memory if limits.memory is not None else psutil.virtual_memory().total
    gpus = count(limits.gpus, "GPU") if limits.gpus else "no GPU"
    return f"{count(cores, 'core')}, {format_binary_size(memory)} of memory, {gpus}"


def _warning(limits: Limits, paths: JobPaths) -> str:
    if not limits.warning_seconds:
        return "Nobody will tell you that the time is nearly up."
    duration = format_duration(limits.warning_seconds).capitalize()
    return f"{duration} before the end, {paths.home}/logs/{TIME_WARNING_FILE} appears."
