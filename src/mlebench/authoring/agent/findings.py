"""What a run would trip over: findings about an agent's folder, and about its rehearsal."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mlebench.grading.reports import Outcome
from mlebench.sandbox.ending import Reason

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from mlebench.agents.declaration import Agent
    from mlebench.authoring.agent.rehearsal import Rehearsed

SCRIPTS = (".py", ".sh", ".js", ".ts", ".rb", ".pl", ".R", ".jl")
_NOT_FOUND, _NOT_EXECUTABLE = 127, 126
_PACKAGE = re.compile(r"(?:ModuleNotFoundError|ImportError): No module named '([\w.]+)'")
_NETWORK = re.compile(
    r"Network is unreachable|Temporary failure in name resolution|Name or service not known|Could not resolve host"
    r"|No address associated with hostname|Failed to establish a new connection|getaddrinfo failed"
    r"|EAI_AGAIN|ENETUNREACH"
)
_READ_ONLY = re.compile(r"(?:Read-only file system|Permission denied|EROFS|EACCES)\b[^\n]{0,200}")
_PATH = re.compile(r"'?(/[\w./-]+)'?")


@dataclass(frozen=True)
class Finding:
    """One thing that a run would trip over."""

    name: str
    sentence: str
    """What, and how to mend it."""
    fatal: bool = True
    """Whether it spoils a run; other findings are good to know."""


def find_in_folder(agent: Agent) -> list[Finding]:
    """Return what can be seen without running anything."""
    program, *arguments = agent.declaration.command
    found = []
    named = [word for word in arguments if word.endswith(SCRIPTS) and not word.startswith(("-", "/"))]
    if not program.startswith(("{", "/")) and ("/" in program or program.endswith(SCRIPTS)):
        path = agent.folder / program
        if path.is_file() and not os.access(path, os.X_OK):
            fix = f"make it so with: chmod +x {path}; or start it with its interpreter."
            found.append(Finding("not-executable", f"{program}, which agent.yaml starts, is not executable; {fix}"))
        elif path.is_file() and not path.read_bytes().startswith((b"#!", b"\x7fELF")):
            fix = "let its first line be #! and the interpreter, such as #!/bin/sh."
            found.append(Finding("not-executable", f"{program} does not say what runs it; {fix}"))
        named.append(program)
    elif program.startswith("/") and str(agent.folder) in program:
        fix = "name it relative to the folder, which is copied to $AGENT_DIR."
        found.append(Finding("missing-file", f"The command {program} is a path of this machine; {fix}"))
    missing = [name for name in named if not (agent.folder / name).exists()]
    for name in missing:
        fix = "put it there, or correct `command`."
        found.append(Finding("missing-file", f"agent.yaml starts {name}, which is not in {agent.folder}; {fix}"))
    return found


def find_in_rehearsal(rehearsed: Rehearsed) -> list[Finding]:
    """Return what the rehearsal showed, the causes before what follows from them."""
    clean = _is_clean(rehearsed)
    found = [finding for look in _LOOKS for finding in look(rehearsed)]
    return [Finding(item.name, item.sentence, item.fatal and not (clean and item.name in _HARMLESS)) for item in found]


def _is_clean(rehearsed: Rehearsed) -> bool:
    verdict, ending = rehearsed.run.verdict, rehearsed.run.ending
    graded = verdict is not None and verdict.outcome is Outcome.GRADED
    return graded and ending is not None and ending.reason is Reason.FINISHED


def _start(seen: Rehearsed) -> Iterator[Finding]:
    """Missing interpreters and packages, files that cannot be executed."""
    ending = seen.run.ending
    program = seen.agent.declaration.command[0]
    if ending and ending.reason is Reason.CRASHED and ending.exit_code == _NOT_FOUND:
        fix = "use {python}, or bring an image or Dockerfile that has it, since sandboxes show little of this machine."
        yield Finding("missing-interpreter", f"The program {program} is not there in the sandbox; {fix}")
    if ending and ending.reason is Reason.CRASHED and ending.exit_code == _NOT_EXECUTABLE:
        fix = "look at its permissions and at its first line."
        yield Finding("not-executable", f"The program {program} cannot be executed in the sandbox; {fix}")
    for name in dict.fromkeys(match.partition(".")[0] for match in _PACKAGE.findall(seen.log)):
        fix = "add the package that has it to requirements.txt."
        yield Finding("missing-package", f"The Python module {name} is not there in the sandbox; {fix}")


def _network(seen: Rehearsed) -> Iterator[Finding]:
    if match := _NETWORK.search(seen.log):
        fix = "bring what it fetches in its folder or image, and ask models at $OPENAI_BASE_URL."
        yield Finding("needs-network", f"It tried to reach the network ({match[0]}), and runs have none; {fix}")


def _writes(seen: Rehearsed) -> Iterator[Finding]:
    for match in _READ_ONLY.finditer(seen.log):
        path = _PATH.search(seen.log, match.start(), match.end())
        line = seen.log[seen.log.rfind("\n", 0, match.start()) + 1 : match.start()]
        before = _PATH.findall(line)
        where = path[1] if path else before[-1] if before else None
        what = f"It tried to write to {where}" if where else "It tried to write where it may not"
        fix = "write to $SUBMISSION_DIR, $CODE_DIR, $LOGS_DIR, $AGENT_DIR or /tmp only."
        yield Finding("writes-outside", f"{what} ({match[0].partition(':')[0]}); {fix}")
        return


def _ending(seen: Rehearsed) -> Iterator[Finding]:
    ending = seen.run.ending
    if ending is None:
        return
    if ending.reason is Reason.TIME and (ending.exit_code is None or not _is_graded(seen)):
        how = "did not end at SIGTERM either" if ending.exit_code is None else "had no valid submission by then"
        fix = "keep to $TIME_LIMIT_SECS, end at SIGTERM, and put a first submission in place early."
        yield Finding("ignores-deadline", f"It worked until the end of its time and {how}; {fix}")
    elif ending.reason in (Reason.MEMORY, Reason.DISK, Reason.PROCESSES):
        fix = "let it need less, or declare what it needs under `resources`."
        yield Finding("limit", f"It ran into the limit of {ending.reason.value}; {fix}")
    elif ending.reason is Reason.CRASHED:
        last = next((line.strip() for line in reversed(_printed(seen).splitlines()) if line.strip()), "nothing")
        fix = "look at its log; a run that crashes keeps its submission, but counts as crashed."
        yield Finding("crashes", f"It ended with exit code {ending.exit_code}, printing at last {last[:200]!r}; {fix}")
    elif ending.reason in (Reason.HARNESS, Reason.STOPPED):
        yield Finding("harness", f"The rehearsal itself failed: {ending.detail}")


def _submission(seen: Rehearsed) -> Iterator[Finding]:
    verdict = seen.run.verdict
    if verdict is None:
        return
    if verdict.outcome is Outcome.MISSING:
        folder = seen.folder / f"attempts/{seen.run.attempt}"
        others = [path.relative_to(folder) for path in folder.rglob("*.csv") if "snapshots" not in path.parts]
        there = f" (there is a {others[0]})" if others else ""
        fix = "write it to $SUBMISSION_DIR/submission.csv, a regular file with that name."
        yield Finding("no-submission", f"It left no submission.csv in its folder for submissions{there}; {fix}")
    elif verdict.outcome is not Outcome.GRADED:
        fix = "ask the submission check: sh $TOOLS_DIR/validate_submission.sh FILE."
        yield Finding("invalid-submission", f"Its submission is not valid ({verdict.reason}); {fix}")


def _models(seen: Rehearsed) -> Iterator[Finding]:
    declared = set(seen.agent.declaration.model.names)
    for name in sorted({name.removeprefix("gateway/") for name in seen.models_asked} - declared):
        fix = "name it under `model` in agent.yaml, so that runs can tell beforehand whether it is offered."
        yield Finding("undeclared-model", f"It asked for the model {name!r} without declaring it; {fix}", fatal=False)

    refused = [call for call in seen.calls if 400 <= call.status < 500]
    if refused:
        what = f"{refused[0].path}: {refused[0].status} {refused[0].detail}".strip().rstrip(".")
        fix = "docs/models.md says what is served; `model.protocol` says which protocol the agent speaks."
        sentence = f"The model gateway refused {len(refused)} of its calls ({what}); {fix}"
        yield Finding("model-refused", sentence, fatal=not _is_clean(seen))


def _printed(seen: Rehearsed) -> str:
    return (seen.folder / "run.log").read_text(errors="replace")


def _is_graded(seen: Rehearsed) -> bool:
    return seen.run.verdict is not None and seen.run.verdict.outcome is Outcome.GRADED


_LOOKS: tuple[Callable[[Rehearsed], Iterator[Finding]], ...] = (
    _start,
    _network,
    _writes,
    _ending,
    _submission,
    _models,
)
_HARMLESS = {"missing-package", "needs-network", "writes-outside"}
"""What an agent that finishes with a valid submission has got over."""
