"""The agent's tools, as one table: purpose, input, result, and function."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mlebench_task import BudgetUsedUp, ModelError

from . import reading
from .arguments import InputError, read_arguments
from .files import EnvError, WorkFolder
from .scripts import run_script

if TYPE_CHECKING:
    from collections.abc import Callable

    from .history import ResearchLog
    from .outputs import Outputs
    from .settings import Settings

FINAL = "Final Answer"
_MAX_LINES = 100


@dataclass(frozen=True)
class Toolbox:
    """What the tools use."""

    folder: WorkFolder
    settings: Settings
    outputs: Outputs
    log: ResearchLog
    fast: Callable[[str], str]
    """Ask the model for a summary."""
    editor: Callable[[str], str]
    """Ask the model for a new version of a script."""
    seconds_left: Callable[[], float]

    def run(self, *arguments: str) -> str:
        """Run Python in the work folder and return its output."""
        seconds = max(1.0, min(self.settings.script_seconds, self.seconds_left()))
        return run_script(list(arguments), self.folder.root, seconds, self.outputs.keep_settled)


@dataclass(frozen=True)
class Action:
    """One tool."""

    purpose: str
    fields: dict[str, str]
    """The meaning of each field of the input, by name."""
    gives: str
    do: Callable[[Toolbox, dict[str, str]], str]
    shown: str = "always"
    """When the prompt offers it: `always`, `retrieval` (with a research log) or `never`."""


def execute(name: str, text: str, toolbox: Toolbox) -> tuple[str, bool]:
    """Execute an action; return the observation, and whether its input could be parsed."""
    action = ACTIONS[name]
    try:
        arguments = read_arguments(text, list(action.fields))
    except InputError as error:
        usage = ", ".join(f'"{field}": "[{meaning}]"' for field, meaning in action.fields.items())
        return f"ActionInputParsingError: {error}. Use {name} so: {{{usage}}}", False
    try:
        return action.do(toolbox, arguments), True
    except EnvError as error:
        return f"EnvError: {error}", True
    except (OSError, ValueError) as error:
        return f"EnvError: {type(error).__name__}: {error}", True
    except BudgetUsedUp:
        raise
    except ModelError as error:
        return f"LLMError: {error}", True


def _understand(toolbox: Toolbox, arguments: dict[str, str]) -> str:
    name, wanted = arguments["file_name"], arguments["things_to_look_for"]
    return reading.understand(name, toolbox.folder.read(name), wanted, toolbox.fast, toolbox.settings.block)


def _inspect(toolbox: Toolbox, arguments: dict[str, str]) -> str:
    name = arguments["script_name"]
    first, last = _number(arguments, "start_line_number"), _number(arguments, "end_line_number")
    lines = toolbox.folder.read(name).splitlines()
    if first < 1 or last < first:
        raise EnvError(f"lines {first} to {last} make no sense; the first line has the number 1.")
    if last - first + 1 > _MAX_LINES:
        raise EnvError(f"at most {_MAX_LINES} lines can be shown at a time; {name} has {len(lines)}.")
    shown = "\n".join(lines[first - 1 : last])
    return f"Lines {first} to {min(last, len(lines))} of {name}, which has {len(lines)} lines:\n\n{shown}"


def _edit(toolbox: Toolbox, arguments: dict[str, str]) -> str:
    name, target = arguments["script_name"], arguments["save_name"]
    old = toolbox.folder.read(name) if toolbox.folder.path(name).is_file() else ""
    new, diff = reading.edit(name, old, arguments["edit_instruction"], toolbox.editor)
    toolbox.folder.write(target, new)
    return f"The edited script is in {target}. What changed:\n\n{diff or 'nothing'}"


def _edit_part(toolbox: Toolbox, arguments: dict[str, str]) -> str:
    name, first, last = (
        arguments["script_name"],
        _number(arguments, "start_line_number"),
        _number(arguments, "end_line_number"),
    )
    lines = toolbox.folder.read(name).splitlines(keepends=True)
    if not 1 <= first <= last <= len(lines):
        raise EnvError(f"{name} has the lines 1 to {len(lines)}, not {first} to {last}.")
    part, diff = reading.edit(name, "".join(lines[first - 1 : last]), arguments["edit_instruction"], toolbox.editor)
    toolbox.folder.write(
        arguments["save_name"], "".join([*lines[: first - 1], part.rstrip("\n") + "\n", *lines[last:]])
    )
    return f"The edited script is in {arguments['save_name']}. What changed:\n\n{diff or 'nothing'}"


def _number(arguments: dict[str, str], field: str) -> int:
    with contextlib.suppress(ValueError):
        return int(arguments[field])
    raise EnvError(f"{field} has to be a whole number, not {arguments[field]!r}.")


def _validate(toolbox: Toolbox, arguments: dict[str, str]) -> str:
    path = toolbox.folder.file(arguments["submission_path"])
    toolbox.outputs.keep_submission()
    return toolbox.outputs.task.validate(path)


def _write(toolbox: Toolbox, arguments: dict[str, str]) -> str:
    toolbox.folder.write(arguments["file_name"], arguments["content"])
    return f"{arguments['file_name']} was written."


def _append(toolbox: Toolbox, arguments: dict[str, str]) -> str:
    toolbox.folder.write(arguments["file_name"], arguments["content"], append=True)
    return f"{arguments['file_name']} was added to."


def _remember(toolbox: Toolbox, arguments: dict[str, str]) -> str:
    toolbox.log.add(arguments["content"])
    return "The summary was added to the research log."


def _reflect(toolbox: Toolbox, arguments: dict[str, str]) -> str:
    text = f"{toolbox.log.read()}\n\nReflect on this for the research above: {arguments['things_to_reflect_on']}\n"
    return toolbox.fast(text + "Write only what the log shows.")


def _retrieve(toolbox: Toolbox, arguments: dict[str, str]) -> str:
    return toolbox.log.look_up(arguments["current_plan"], toolbox.fast)


_SCRIPT = "name of the script, with its path in the work folder"
ACTIONS: dict[str, Action] = {
    "List Files": Action(
        "Lists what is in a folder.",
        {"dir_path": "a folder, such as ."},
        "the names of its files and folders; those of folders end with /.",
        lambda toolbox, arguments: toolbox.folder.list(arguments["dir_path"]),
    ),
    "Copy File": Action(
        "Copies a file or a folder.",
        {"source": "what to copy", "destination": "where to"},
        "whether it was copied.",
        lambda toolbox, arguments: toolbox.folder.copy(arguments["source"], arguments["destination"]),
    ),
    "Undo Edit Script": Action(
        "Takes back the last change of a script.",
        {"script_name": _SCRIPT},
        "the script as it is now.",
        lambda toolbox, arguments: (
            f"{arguments['script_name']} is now:\n\n{toolbox.folder.undo(arguments['script_name'])}"
        ),
    ),
    "Execute Script": Action(
        "Runs a Python script that is there already.",
        {"script_name": _SCRIPT},
        "what it printed, or its errors.",
        lambda toolbox, arguments: toolbox.run(str(toolbox.folder.file(arguments["script_name"]))),
    ),
    "Understand File": Action(
        "Reads a whole file for you and describes what it holds.",
        {"file_name": "a file", "things_to_look_for": "what you want to know of it, and why, in detail"},
        "a description with references to lines.",
        _understand,
    ),
    "Inspect Script Lines": Action(
        f"Shows lines of a file as they are, at most {_MAX_LINES} at a time.",
        {"script_name": _SCRIPT, "start_line_number": "the first line", "end_line_number": "the last line"},
        "these lines, and how many the file has.",
        _inspect,
    ),
    "Edit Script (AI)": Action(
        "Has another model write or change a whole script; it knows nothing but what you tell it.",
        {
            "script_name": f"{_SCRIPT}; a new one is made if there is none",
            "edit_instruction": "what to write or to change, step by step and in detail",
            "save_name": "name to save it under",
        },
        "what changed; look whether it is what you wanted.",
        _edit,
    ),
    "Validate Submission": Action(
        "Checks whether a submission has the right form; it knows no answers and gives no score.",
        {"submission_path": "the file, usually submission/submission.csv"},
        "what is wrong with it, or that it is valid.",
        _validate,
    ),
    "Reflection": Action(
        "Thinks over all steps up to now.",
        {"things_to_reflect_on": "what to think over"},
        "the reflection.",
        _reflect,
        shown="retrieval",
    ),
    FINAL: Action(
        "Ends the work for good, after you have checked the submission.",
        {"final_answer": "what you did and found, in detail"},
        "nothing.",
        lambda toolbox, arguments: "",
    ),
    "Read File": Action(
        "Shows the beginning of a file.",
        {"file_name": "a file"},
        "its content.",
        lambda toolbox, arguments: toolbox.folder.read(arguments["file_name"]),
        shown="never",
    ),
    "Write File": Action("Writes a file.", {"file_name": "a file", "content": "its content"}, "", _write, "never"),
    "Append File": Action("Adds to a file.", {"file_name": "a file", "content": "what to add"}, "", _append, "never"),
    "Python REPL": Action(
        "Runs lines of Python; nothing is kept from one time to the next.",
        {"command": "the lines"},
        "what they printed.",
        lambda toolbox, arguments: toolbox.run("-c", arguments["command"]),
        shown="never",
    ),
    "Edit Script Segment (AI)": Action(
        "Has another model change some lines of a script.",
        {
            "script_name": _SCRIPT,
            "start_line_number": "the first line",
            "end_line_number": "the last line",
            "edit_instruction": "what to change",
            "save_name": "name to save it under",
        },
        "what changed.",
        _edit_part,
        shown="never",
    ),
    "Append Summary to Research Log": Action(
        "Adds to the research log.", {"content": "what to add"}, "", _remember, "never"
    ),
    "Retrieval from Research Log": Action(
        "Looks up the research log.",
        {"current_plan": "the plan and status"},
        "what matters for it.",
        _retrieve,
        "never",
    ),
}
