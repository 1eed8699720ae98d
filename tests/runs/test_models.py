"""The use of models is counted, limited and logged, and the key stays outside of the sandbox."""

import dataclasses
import json

import pytest

from mlebench.gateway.models import Budget, ModelsConfig
from mlebench.gateway.scripted import Reply, ScriptedServer
from mlebench.grading.reports import Outcome
from mlebench.runs.events import read_events
from mlebench.runs.plan import Models
from mlebench.runs.verify import verify
from mlebench.sandbox.ending import Reason
from mlebench.sandbox.limits import Limits

KEY = "sk-secret-of-the-harness"
ASK = """
import json, os, time, urllib.request
def ask(text):
    body = json.dumps({"model": "gateway/small", "messages": [{"role": "user", "content": text}]}).encode()
    headers = {"Content-Type": "application/json", "Authorization": "Bearer " + os.environ["OPENAI_API_KEY"]}
    request = urllib.request.Request(os.environ["OPENAI_BASE_URL"] + "/chat/completions", body, headers)
    return json.load(urllib.request.urlopen(request))["choices"][0]["message"]["content"]
"""


@pytest.fixture
def server():
    with ScriptedServer(lambda asked: Reply(f"You said {asked.text}.")) as running:
        yield running


@pytest.fixture
def models(server, monkeypatch):
    monkeypatch.setenv("TEST_MODEL_KEY", KEY)

    def offer(mode="live", recording=None, **budget):
        config = ModelsConfig(
            upstreams={
                "here": {"protocol": "openai", "base_url": f"{server.url}/v1", "key_variable": "TEST_MODEL_KEY"}
            },
            models={"small": {"upstream": "here", "model": "small-1"}},
            prices={"small": {"input": 1.0, "output": 2.0}},
            budget=Budget(**budget),
        )
        return Models(config, mode, recording)

    return offer


def run(arena, code, models, group="group", **more):
    plan = dataclasses.replace(arena.plan(arena.agent("asker", ASK + code), **more), models=models)
    (made,) = arena.run(plan, group=group).runs.values()
    return made, arena.folder / "runs" / group / made.run_id


def test_calls_are_counted_priced_and_logged(arena, submit, models, server):
    code = "print(ask('one'))\nprint(ask('two'))\n" + submit + "time.sleep(4)"
    made, folder = run(arena, code, models())
    assert made.verdict.outcome is Outcome.GRADED
    assert "You said one." in (folder / "run.log").read_text()
    assert made.usage.requests == 2
    assert (made.usage.input_tokens, made.usage.output_tokens) == (server.reported.input, server.reported.output)
    assert made.usage.money == pytest.approx((server.reported.input + 2 * server.reported.output) / 1e6)
    calls = [json.loads(line) for line in (folder / "attempts/1/model_calls.jsonl").read_text().splitlines()]
    assert len(calls) == 2
    curve = json.loads((folder / "attempts/1/curve.json").read_text())
    assert curve["points"][-1]["usage"]["requests"] == 2
    assert verify(folder.parent) == []


def test_the_key_goes_upstream_and_nowhere_else(arena, submit, models, server):
    search = """
import subprocess
ask("hello")
seen = subprocess.run("env; cat /proc/*/environ /proc/*/cmdline; grep -r sk-secret /home /tmp /run /etc 2>/dev/null",
                      shell=True, capture_output=True).stdout
open("/home/logs/seen.bin", "wb").write(seen)
"""
    _, folder = run(arena, search + submit, models())
    assert KEY in str(server.requests[0].headers)
    kept = [path for path in folder.parent.rglob("*") if path.is_file() and KEY.encode() in path.read_bytes()]
    assert kept == []


@pytest.mark.parametrize("budget", [{"requests": 3}, {"tokens": 20}, {"money": 0.00003}])
def test_a_budget_ends_the_run_and_keeps_its_submission(arena, submit, models, budget):
    code = (
        submit
        + "for number in range(1000):\n    try: print(ask('more'))\n    except OSError as e: print(e); time.sleep(0.1)"
    )
    made, _folder = run(arena, code, models(**budget), limits=Limits(seconds=60, grace=0.5, cpus=1, memory=2**29))
    assert made.ending.reason is Reason.BUDGET
    assert "budget" in made.ending.detail
    assert made.verdict.outcome is Outcome.GRADED
    assert 0 < made.usage.requests < 30


def test_a_recording_gives_the_same_submission_without_a_model(arena, models, server, tmp_path, monkeypatch):
    code = """
lines = open(os.environ["DATA_DIR"] + "/sample_submission.csv").read()
open("/home/submission/submission.csv", "w").write(lines)
open("/home/logs/heard.txt", "w").write(ask("one") + ask("two") + ask("one"))
"""
    _, first = run(arena, code, models("record", tmp_path / "answers.jsonl"), group="recorded")
    asked = len(server.requests)
    monkeypatch.delenv("TEST_MODEL_KEY")
    _, second = run(arena, code, models("replay", tmp_path / "answers.jsonl"), group="replayed")
    assert len(server.requests) == asked
    assert (first / "logs/heard.txt").read_text() == (second / "logs/heard.txt").read_text()
    calls = [event for event in read_events(second / "events.jsonl") if event["kind"] == "model_call"]
    assert len(calls) == 3


def test_without_models_there_is_no_gateway(arena, submit):
    made = arena.run_one(submit + "assert 'OPENAI_BASE_URL' not in os.environ")
    assert made.ending.reason is Reason.FINISHED
    assert made.usage is None
