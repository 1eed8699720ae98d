"""What is wrong with an agent is found in its folder and in its rehearsal."""

from __future__ import annotations

import json

import pytest

import mlebench
from mlebench.agents.registry import get_agent
from mlebench.authoring.agent.findings import check_folder, check_rehearsal
from mlebench.authoring.agent.rehearsal import Rehearsal
from mlebench.runs.record import RunRecord
from mlebench.sandbox.ending import Ending, Reason


@pytest.fixture
def folder(tmp_path):
    return mlebench.make_agent("my-agent", tmp_path)


@pytest.mark.parametrize(
    ("command", "mode", "first_line", "names"),
    [
        (["{python}", "start.py"], 0o644, "", []),
        (["{python}", "gone.py"], 0o644, "", ["missing-file"]),
        (["{python}", "-c", "x", "--flag.py", "/inside/x.py"], 0o644, "", []),
        (["./start.py"], 0o644, "#!/bin/sh\n", ["not-executable"]),
        (["./start.py"], 0o755, "x = 1\n", ["not-executable"]),
        (["./start.py"], 0o755, "#!/bin/sh\n", []),
        (["start.py"], 0o755, "#!/bin/sh\n", []),
        (["./gone.sh"], 0o755, "", ["missing-file"]),
        (["bash", "-l"], 0o644, "", []),
    ],
)
def test_a_command_that_cannot_start_is_found_without_running_it(folder, command, mode, first_line, names):
    text = f"id: my-agent\ndescription: Mine.\ncommand: {json.dumps(command)}\n"
    (folder / "agent.yaml").write_text(text)
    (folder / "start.py").write_text(first_line)
    (folder / "start.py").chmod(mode)
    assert [finding.name for finding in check_folder(get_agent(folder))] == names


def rehearsal_of(folder, reason, exit_code, log):
    (folder / "run.log").write_text(log)
    ending = Ending(reason, exit_code, 1.0)
    run = RunRecord(run_id="r", competition_id="demo-wine", version="v2", agent="my-agent", seed=0, ending=ending)
    return Rehearsal(get_agent(folder), run, folder, frozenset(), (), log)


@pytest.mark.parametrize(
    ("reason", "exit_code", "log", "names", "words"),
    [
        (Reason.FINISHED, 0, "all is well", [], ""),
        (Reason.CRASHED, 127, "", ["missing-interpreter", "crashes"], "'nothing'"),
        (Reason.CRASHED, 126, "", ["not-executable", "crashes"], ""),
        (Reason.CRASHED, 1, "last words\n \n", ["crashes"], "'last words'"),
        (Reason.FINISHED, 0, "ModuleNotFoundError: No module named 'a.b'\n" * 2, ["missing-package"], "module a is"),
        (Reason.FINISHED, 0, "curl: Could not resolve host: x", ["needs-network"], "Could not resolve host"),
        (Reason.FINISHED, 0, "Permission denied: '/home/a.csv'", ["writes-outside"], "write to /home/a.csv"),
        (Reason.FINISHED, 0, "sh: /etc/a: Read-only file system", ["writes-outside"], "write to /etc/a"),
        (Reason.FINISHED, 0, "EROFS", ["writes-outside"], "a read-only place"),
        (Reason.TIME, None, "", ["ignores-deadline"], "did not end at SIGTERM"),
        (Reason.TIME, 0, "", ["ignores-deadline"], "no valid submission"),
        (Reason.DISK, None, "", ["limit"], "limit of disk"),
        (Reason.STOPPED, None, "", ["harness"], "rehearsal itself"),
    ],
)
def test_the_log_and_the_ending_of_a_rehearsal_show_what_went_wrong(folder, reason, exit_code, log, names, words):
    findings = check_rehearsal(rehearsal_of(folder, reason, exit_code, log))
    assert [finding.name for finding in findings] == names
    assert words in " ".join(finding.sentence for finding in findings)
    assert all(finding.fatal for finding in findings)
