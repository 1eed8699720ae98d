"""Rehearsals say what a run would trip over: an agent for each fault, and those that have none."""

import json

import pytest
from typer.testing import CliRunner

from mlebench.authoring.agent import rehearsal
from mlebench.cli.main import app
from mlebench.errors import UsageError
from mlebench.sandbox import get_sandbox

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
FAULTS = {
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
"""What `command` says, what the script holds, and a word of the finding."""


@pytest.fixture(scope="module")
def data_dir(tmp_path_factory):
    return tmp_path_factory.mktemp("data")


@pytest.fixture
def check(tmp_path, data_dir, require):
    require(get_sandbox("bubblewrap").probe())

    def call(command, code, *options, more=""):
        folder = tmp_path / "tested"
        folder.mkdir()
        text = f"id: tested\ndescription: Has a fault.\ncommand: {command}\n{more}"
        (folder / "agent.yaml").write_text(text)
        (folder / "start.py").write_text(code)
        words = ["agent", "check", folder, "--sandbox", "bubblewrap", "--data-dir", data_dir, "--json", *options]
        return played(words)

    return call


def played(words):
    done = CliRunner().invoke(app, [*map(str, words)])
    assert done.stdout, done.exception
    return done.exit_code, {item["name"]: item for item in json.loads(done.stdout)["findings"]}


@pytest.mark.parametrize("fault", FAULTS)
def test_each_fault_is_found_and_told_with_a_way_out(check, fault):
    command, code, word = FAULTS[fault]
    limits = {"ignores-deadline": ("--time-limit", "6s"), "limit": ("--memory", "0.5")}
    status, found = check(command, code, *limits.get(fault, ()))
    assert status == 1
    assert fault in found, found
    assert word in found[fault]["sentence"]
    assert found[fault]["fatal"]
    for finding in found.values():
        assert finding["sentence"].endswith(".")
        assert ";" in finding["sentence"]


def test_what_an_agent_gets_over_is_only_noted(check):
    code = SUBMIT + "try: open('/home/x', 'w')\nexcept OSError as error: print(error)"
    status, found = check(PYTHON, code)
    assert status == 0
    assert not found["writes-outside"]["fatal"]


def test_a_model_is_asked_that_follows_the_script_of_the_agent(check, tmp_path):
    status, found = check(PYTHON, SUBMIT + ASK, more="model: {name: a-model-of-mine}\n")
    assert (status, found) == (0, {})


def test_an_agent_that_asks_no_model_needs_no_gateway(check, monkeypatch):
    monkeypatch.setattr(rehearsal, "_has_gateway", lambda: False)  # as without the extra
    assert check(PYTHON, SUBMIT + "assert 'OPENAI_BASE_URL' not in os.environ") == (0, {})


def test_an_agent_may_speak_the_other_protocol(check):
    asks = ASK.replace("OPENAI_BASE_URL", "ANTHROPIC_BASE_URL").replace("/chat/completions", "/v1/messages")
    asks = asks.replace('"messages"', '"max_tokens": 9, "messages"').replace(
        '["choices"][0]["message"]["content"]', '["content"]'
    )
    declared = "model: {name: a-model-of-mine, protocol: anthropic}\n"
    assert check(PYTHON, SUBMIT + asks, more=declared) == (0, {})


def test_calls_that_the_gateway_refuses_are_told(check):
    status, found = check(PYTHON, SUBMIT + ASK, more="model: {name: a-model-of-mine, protocol: anthropic}\n")
    assert status == 1
    assert "/v1/chat/completions: 404" in found["model-refused"]["sentence"]


def test_a_model_that_is_not_declared_is_noted(check):
    status, found = check(PYTHON, SUBMIT + ASK)
    assert status == 0
    assert "a-model-of-mine" in found["undeclared-model"]["sentence"]


def test_an_agent_at_its_deadline_may_end_at_sigterm(check):
    assert check(PYTHON, SUBMIT + "import time\ntime.sleep(1000)", "--time-limit", "6s") == (0, {})


@pytest.mark.timeout(900)
@pytest.mark.parametrize("sandbox", ["bubblewrap", "docker", "process"])
def test_a_new_agent_runs_as_it_stands(tmp_path, data_dir, sandbox, require, monkeypatch, request):
    if sandbox == "docker":
        request.getfixturevalue("docker")
    require(get_sandbox(sandbox).probe())
    monkeypatch.chdir(tmp_path)
    made = CliRunner().invoke(app, ["agent", "new", "my-agent"])
    assert made.stdout.strip() == "my-agent"
    assert "NAME" not in "".join(path.read_text() for path in (tmp_path / "my-agent").iterdir())
    assert played(["agent", "check", "./my-agent", "--sandbox", sandbox, "--data-dir", data_dir, "--json"]) == (0, {})
    again = CliRunner().invoke(app, ["agent", "new", "my-agent"])
    assert isinstance(again.exception, UsageError)
    assert "already" in str(again.exception)
