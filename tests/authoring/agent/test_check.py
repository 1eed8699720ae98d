"""Checking an agent names its problems: an agent for each problem, and agents that have none."""

import json

import pytest
from typer.testing import CliRunner

import mlebench
from mlebench.authoring.agent import rehearsal
from mlebench.cli.main import app
from mlebench.sandbox import get_sandbox

pytestmark = pytest.mark.slow("runs")

SUBMIT = """
import os, shutil
DATA, OUT = os.environ["DATA_DIR"], os.environ["SUBMISSION_DIR"]
shutil.copy(DATA + "/sample_submission.csv", OUT + "/submission.csv")
"""
PYTHON = '["{python}", start.py]'
ASK = """
import json, urllib.request
body = json.dumps({"model": "a-model-of-mine", "messages": [{"role": "user", "content": "Hello"}]}).encode()
url = os.environ["OPENAI_BASE_URL"] + "/chat/completions"
request = urllib.request.Request(url, body, {"Content-Type": "application/json"})
print(json.load(urllib.request.urlopen(request))["choices"][0]["message"]["content"])
"""
PROBLEMS = {
    "no-submission": (PYTHON, "import shutil, os; shutil.copy(os.environ['DATA_DIR'] + '/sample_submission.csv', "
                      "os.environ['CODE_DIR'] + '/submission.csv')", "code/submission.csv"),
    "invalid-submission": (PYTHON, SUBMIT + "open(OUT + '/submission.csv', 'a').write('7,1,0,0')", "not valid"),
    "writes-outside": (PYTHON, SUBMIT + "open('/home/result.csv', 'w')", "/home/result.csv"),
    "needs-network": (PYTHON, "import urllib.request; urllib.request.urlopen('http://192.0.2.1/model')", "none"),
    "ignores-deadline": (PYTHON, SUBMIT + "import signal, time\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
                         "time.sleep(1000)", "SIGTERM"),
    "missing-package": (PYTHON, "import a_package_that_nobody_has.deep", "a_package_that_nobody_has"),
    "missing-interpreter": ("[julia-nightly, start.py]", "", "julia-nightly"),
    "not-executable": ("[./start.py]", "#!/bin/sh\n", "chmod +x"),
    "missing-file": ('["{python}", other.py]', "", "other.py"),
    "crashes": (PYTHON, SUBMIT + "raise SystemExit(3)", "exit code 3"),
    "limit": (PYTHON, SUBMIT + "x = bytearray(900 << 20)", "memory"),
}  # fmt: skip
"""The command, the content of start.py, and a word of the finding."""


@pytest.fixture(scope="module")
def data_dir(tmp_path_factory):
    return tmp_path_factory.mktemp("data")


@pytest.fixture
def check(tmp_path, data_dir, require):
    require(get_sandbox("bubblewrap").probe())

    def call(command, code, *options, more=""):
        folder = tmp_path / "tested"
        folder.mkdir()
        text = f"id: tested\ndescription: Has a problem.\ncommand: {command}\n{more}"
        (folder / "agent.yaml").write_text(text)
        (folder / "start.py").write_text(code)
        argv = ["agent", "check", folder, "--sandbox", "bubblewrap", "--data-dir", data_dir, "--json", *options]
        return run_check(argv)

    return call


def run_check(argv):
    """Return the exit code of a check and its findings by name."""
    done = CliRunner().invoke(app, [*map(str, argv)])
    assert done.stdout, done.exception
    return done.exit_code, {item["name"]: item for item in json.loads(done.stdout)["findings"]}


@pytest.mark.parametrize("problem", PROBLEMS)
def test_each_problem_is_found_and_told_with_its_fix(check, problem):
    command, code, word = PROBLEMS[problem]
    limits = {"ignores-deadline": ("--time-limit", "6s"), "limit": ("--memory", "0.5")}
    status, found = check(command, code, *limits.get(problem, ()))
    assert status == 1
    assert problem in found, found
    assert word in found[problem]["sentence"]
    assert found[problem]["fatal"]
    for finding in found.values():
        assert finding["sentence"].endswith(".")
        assert ";" in finding["sentence"]


def test_a_problem_that_an_agent_copes_with_is_only_a_note(check):
    code = SUBMIT + "try: open('/home/x', 'w')\nexcept OSError as error: print(error)"
    status, found = check(PYTHON, code)
    assert status == 0
    assert not found["writes-outside"]["fatal"]


def test_an_agents_model_is_scripted(check, tmp_path):
    status, found = check(PYTHON, SUBMIT + ASK, more="model: {name: a-model-of-mine}\n")
    assert (status, found) == (0, {})


def test_an_agent_that_asks_no_model_needs_no_gateway(check, monkeypatch):
    monkeypatch.setattr(rehearsal, "_has_gateway", lambda: False)  # as without the extra
    assert check(PYTHON, SUBMIT + "assert 'OPENAI_BASE_URL' not in os.environ") == (0, {})


def test_an_agent_may_speak_the_protocol_of_anthropic(check):
    asks = ASK.replace("OPENAI_BASE_URL", "ANTHROPIC_BASE_URL").replace("/chat/completions", "/v1/messages")
    asks = asks.replace('"messages"', '"max_tokens": 9, "messages"').replace(
        '["choices"][0]["message"]["content"]', '["content"]'
    )
    declared = "model: {name: a-model-of-mine, protocol: anthropic}\n"
    assert check(PYTHON, SUBMIT + asks, more=declared) == (0, {})


def test_calls_that_the_gateway_refuses_are_named(check):
    status, found = check(PYTHON, SUBMIT + ASK, more="model: {name: a-model-of-mine, protocol: anthropic}\n")
    assert status == 1
    assert "/v1/chat/completions: 404" in found["model-refused"]["sentence"]


def test_a_model_that_is_not_declared_is_a_note(check):
    status, found = check(PYTHON, SUBMIT + ASK)
    assert status == 0
    assert "a-model-of-mine" in found["undeclared-model"]["sentence"]


def test_an_agent_may_work_until_sigterm(check):
    assert check(PYTHON, SUBMIT + "import time\ntime.sleep(1000)", "--time-limit", "6s") == (0, {})


def test_from_python_a_check_says_what_the_command_says(tmp_path, data_dir, require):
    require(get_sandbox("bubblewrap").probe())
    folder = mlebench.make_agent("my-agent", tmp_path)
    (folder / "start.py").write_text(SUBMIT)
    messages = []
    check = mlebench.check_agent(folder, sandbox="bubblewrap", data_dir=data_dir, progress=messages.append)
    assert check.passed
    assert check.findings == ()
    assert messages == ["Rehearsing my-agent on demo-wine in bubblewrap."]
    assert not check.rehearsal.folder.exists()  # the files of a check that passes are removed
    (folder / "start.py").write_text("print('nothing')")
    check = mlebench.check_agent(folder, sandbox="bubblewrap", data_dir=data_dir, time_limit=30)
    assert [finding.name for finding in check.findings] == ["no-submission"]
    assert "nothing" in check.rehearsal.stdout


def test_a_folder_that_cannot_run_is_not_rehearsed(tmp_path):
    folder = mlebench.make_agent("my-agent", tmp_path)
    (folder / "start.py").unlink()
    check = mlebench.check_agent(folder)
    assert [finding.name for finding in check.findings] == ["missing-file"]
    assert not check.passed
    assert check.rehearsal is None
