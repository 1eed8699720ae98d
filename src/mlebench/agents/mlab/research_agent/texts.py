"""The prompt of each step."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .actions import ACTIONS, Action

if TYPE_CHECKING:
    from mlebench.agents.inside.mlebench_task import Task

    from .settings import Settings

PROMPT = """\
You are a research assistant. You work in a folder of your own, with these tools and nothing else:

{tools}

The research problem:

{problem}

Rules:
- Make a plan first, and keep it up to date in Research Plan and Status.
- Only what earlier steps have shown belongs there as done or found. A number counts only if code
  that you ran printed it.
- Measure a simple baseline first, then improve on it. Go straight for the goal.
- Look at evidence before you draw a conclusion: run the code, read its output.
- Packages cannot be installed. Tools read and write in the work folder only.
- Give a Final Answer once, after you have checked that the submission is there and valid.

Answer always with these six sections, in this order:

Reflection: what the last observation means; if there was an error, its cause and how to fix it.
Research Plan and Status: the whole plan, with what is done and its confirmed results; put changes between
**two pairs of asterisks**.
Fact Check: each statement that is new in the plan and status: is it a guess, or did the last observation confirm it?
Thought: what you do next, and why.
Action: the name of one tool, exactly as above.
Action Input: the input of the tool, a JSON object with its keys.

Then stop; what came of it is told to you as the Observation.
"""
SKELETON = '''\
"""Trains a model and writes submission/submission.csv."""

import pandas as pd

if __name__ == "__main__":
    pass
'''


def first_part(task: Task, settings: Settings) -> str:
    """Return the part of the prompt that is the same at all steps."""
    offered = {"always", "retrieval"} if settings.retrieval else {"always"}
    shown = {name: action for name, action in ACTIONS.items() if action.shown in offered}
    tools = "\n".join(_describe(name, action) for name, action in shown.items())
    return PROMPT.format(tools=tools, problem=_problem(task, settings))


def progress(steps_left: int, seconds_left: float) -> str:
    """Return the line that says what is left."""
    return f"Left for you: {_left(steps_left, seconds_left)}.\n"


def _left(steps: int, seconds: float) -> str:
    hours, minutes = divmod(int(seconds) // 60, 60)
    return f"{steps} steps and {hours} hours {minutes} minutes"


def _problem(task: Task, settings: Settings) -> str:
    """Return the instructions of the run, with the paths of the work folder, and notes."""
    home = task.submission.parent
    text = task.instructions.replace(str(task.data), "data").replace(f"{home}/", "")
    notes = [
        "data and submission are in your work folder, and so is a script train.py to begin with. Of the folders above, "
        "code, logs and agent are looked after for you: scripts in the work folder are kept as code.",
        "A new submission/submission.csv that is valid replaces the one before. The tool Validate Submission asks the "
        "check.",
        f"Hardware: {task.hardware}." if task.hardware else "",
        f"In all, {_left(settings.max_steps, min(settings.max_seconds, task.seconds))}; at each step you are told "
        "what is left.",
        "Use all of it: go on improving, and give no Final Answer while there is time to do better.",
    ]
    return text + "\n\nNOTES\n" + "\n".join(f"- {note}" for note in notes if note)


def _describe(name: str, action: Action) -> str:
    fields = ", ".join(f'"{field}": "[{meaning}]"' for field, meaning in action.fields.items())
    return f"- {name}: {action.purpose}\n  Action Input: {{{fields}}}\n  Observation: {action.gives}"
