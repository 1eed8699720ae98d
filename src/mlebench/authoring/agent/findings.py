"""What is wrong with an agent: findings about its folder, and about its rehearsal."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from mlebench.grading.reports import Outcome
from mlebench.sandbox.ending import Reason

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from mlebench.agents.declaration import Agent
    from mlebench.authoring.agent.rehearsal import Rehearsal

SCRIPTS = (".py", ".sh", ".js", ".ts", ".rb", ".pl", ".R", ".jl")
_EXIT_NOT_FOUND, _EXIT_NOT_EXECUTABLE = 127, 126
_MISSING_MODULE = re.compile(r"(?:ModuleNotFoundError|ImportError): No module named '([\w.]+)'")
_NETWORK_ERROR = re.compile(
    r"Network is unreachable|Temporary failure in name resolution|Name or service not known|Could not resolve host"
    r"|No address associated with hostname|Failed to establish a new connection|getaddrinfo failed"
    r"|EAI_AGAIN|ENETUNREACH"
)
_WRITE_ERROR = re.compile(r"(?:Read-only file system|Permission denied|EROFS|EACCES)\b[^\n]{0,200}")
_PATH = re.compile(r"'?(/[\w./-]+)'?")
_HARMLESS_IF_CLEAN = {"missing-package", "needs-network", "writes-outside"}
"""Findings that an agent has coped with if it finishes with a valid submission."""


@dataclass(frozen=True)
class Finding:
    """One problem of an agent."""

    name: str
    sentence: str
    """What is wrong; and how to fix it."""
    fatal: bool = True
    """Whether it spoils a run. Other findings are notes."""


def check_folder(agent: Agent) -> list[Finding]:
    """Return what is wrong with an agent's folder, without running anything."""
    program, *arguments = agent.declaration.command
    findings = []
    files = [argument for argument in arguments if argument.endswith(SCRIPTS) and not argument.startswith(("-", "/"))]
    if not program.startswith(("{", "/")) and ("/" in program or program.endswith(SCRIPTS)):
        path = agent.folder / program
        if path.is_file() and not os.access(path, os.X_OK):
            fix = f"run chmod +x {path}, or start it with its interpreter."
            findings.append(Finding("not-executable", f"agent.yaml starts {program}, which is not executable; {fix}"))
        elif path.is_file() and not path.read_bytes().startswith((b"#!", b"\x7fELF")):
            fix = "add a first line such as #!/bin/sh."
            findings.append(Finding("not-executable", f"{program} does not name its interpreter; {fix}"))
        files.append(program)
    elif program.startswith("/") and str(agent.folder) in program:
        fix = "use a path relative to the folder, which runs copy to $AGENT_DIR."
        findings.append(Finding("missing-file", f"The command {program} is a path on this machine; {fix}"))
    for name in files:
        if not (agent.folder / name).exists():
            fix = "add the file, or correct `command`."
            findings.append(Finding("missing-file", f"agent.yaml starts {name}, which is not in {agent.folder}; {fix}"))
    return findings


def check_rehearsal(rehearsal: Rehearsal) -> list[Finding]:
    """Return what went wrong in a rehearsal, causes before consequences."""
    findings = [finding for check in _CHECKS for finding in check(rehearsal)]
    if not rehearsal.is_clean:
        return findings
    return [replace(finding, fatal=finding.fatal and finding.name not in _HARMLESS_IF_CLEAN) for finding in findings]


def _check_start(rehearsal: Rehearsal) -> Iterator[Finding]:
    """Find missing interpreters and packages, and programs that cannot be executed."""
    ending = rehearsal.run.ending
    program = rehearsal.agent.declaration.command[0]
    if ending and ending.reason is Reason.CRASHED and ending.exit_code == _EXIT_NOT_FOUND:
        fix = "use {python}, or bring it in an image or Dockerfile."
        yield Finding("missing-interpreter", f"The program {program} does not exist in the sandbox; {fix}")
    if ending and ending.reason is Reason.CRASHED and ending.exit_code == _EXIT_NOT_EXECUTABLE:
        fix = "check its permissions and its first line."
        yield Finding("not-executable", f"The program {program} cannot be executed in the sandbox; {fix}")
    for name in dict.fromkeys(module.partition(".")[0] for module in _MISSING_MODULE.findall(rehearsal.log)):
        fix = "add its package to requirements.txt."
        yield Finding("missing-package", f"The Python module {name} is not installed in the sandbox; {fix}")


def _check_network(rehearsal: Rehearsal) -> Iterator[Finding]:
    if match := _NETWORK_ERROR.search(rehearsal.log):
        fix = "bring the files in its folder or image, and ask models at $OPENAI_BASE_URL."
        yield Finding("needs-network", f"It tried to use the network ({match[0]}), and runs have none; {fix}")


def _check_writes(rehearsal: Rehearsal) -> Iterator[Finding]:
    log = rehearsal.log
    if match := _WRITE_ERROR.search(log):
        line_start = log.rfind("\n", 0, match.start()) + 1
        after, before = _PATH.search(log, match.start(), match.end()), _PATH.findall(log[line_start : match.start()])
        path = after[1] if after else before[-1] if before else None
        what = f"It tried to write to {path}" if path else "It tried to write to a read-only place"
        fix = "write only to $SUBMISSION_DIR, $CODE_DIR, $LOGS_DIR, $AGENT_DIR or /tmp."
        yield Finding("writes-outside", f"{what} ({match[0].partition(':')[0]}); {fix}")


def _check_ending(rehearsal: Rehearsal) -> Iterator[Finding]:
    ending = rehearsal.run.ending
    if ending is None:
        return
    if ending.reason is Reason.TIME and (ending.exit_code is None or not rehearsal.is_graded):
        how = "did not end at SIGTERM" if ending.exit_code is None else "had no valid submission by then"
        fix = "respect $TIME_LIMIT_SECS, end at SIGTERM, and submit a first valid file early."
        yield Finding("ignores-deadline", f"It worked until the time limit and {how}; {fix}")
    elif ending.reason in (Reason.MEMORY, Reason.DISK, Reason.PROCESSES):
        fix = "reduce what it needs, or declare it under `resources`."
        yield Finding("limit", f"It reached the limit of {ending.reason.value}; {fix}")
    elif ending.reason is Reason.CRASHED:
        last = next((line.strip() for line in reversed(rehearsal.stdout.splitlines()) if line.strip()), "nothing")
        fix = "read its log; a run that crashes keeps its submission, but counts as crashed."
        yield Finding(
            "crashes", f"It ended with exit code {ending.exit_code}; its last output was {last[:200]!r}; {fix}"
        )
    elif ending.reason in (Reason.HARNESS, Reason.STOPPED):
        yield Finding("harness", f"The rehearsal itself failed: {ending.detail}")


def _check_submission(rehearsal: Rehearsal) -> Iterator[Finding]:
    verdict = rehearsal.run.verdict
    if verdict is None:
        return
    if verdict.outcome is Outcome.MISSING:
        attempt = rehearsal.folder / f"attempts/{rehearsal.run.attempt}"
        others = [path.relative_to(attempt) for path in attempt.rglob("*.csv") if "snapshots" not in path.parts]
        hint = f" (but a file {others[0]})" if others else ""
        fix = "write a regular file $SUBMISSION_DIR/submission.csv."
        yield Finding("no-submission", f"It left no submission.csv in its submission folder{hint}; {fix}")
    elif verdict.outcome is not Outcome.GRADED:
        fix = "ask the submission check: sh $TOOLS_DIR/validate_submission.sh FILE."
        yield Finding("invalid-submission", f"Its submission is not valid ({verdict.reason}); {fix}")


def _check_models(rehearsal: Rehearsal) -> Iterator[Finding]:
    requested = {name.removeprefix("gateway/") for name in rehearsal.requested_models}
    for name in sorted(requested - set(rehearsal.agent.declaration.model.names)):
        fix = "name it under `model` in agent.yaml, so that a run without it is refused before it starts."
        yield Finding("undeclared-model", f"It asked for the model {name!r} without declaring it; {fix}", fatal=False)
    refused = [call for call in rehearsal.calls if 400 <= call.status < 500]
    if refused:
        first = f"{refused[0].path}: {refused[0].status} {refused[0].detail}".strip().rstrip(".")
        fix = "docs/models.md lists what is served; set `model.protocol` to the protocol that the agent speaks."
        sentence = f"The model gateway refused {len(refused)} of its calls ({first}); {fix}"
        yield Finding("model-refused", sentence, fatal=not rehearsal.is_clean)


_CHECKS: tuple[Callable[[Rehearsal], Iterator[Finding]], ...] = (
    _check_start,
    _check_network,
    _check_writes,
    _check_ending,
    _check_submission,
    _check_models,
)
