"""Models used from inside real sandboxes; a budget that ends the job."""

from __future__ import annotations

import pytest

from mlebench.gateway.models import Budget
from mlebench.gateway.scripted import Reply
from mlebench.sandbox.bubblewrap import BubblewrapSandbox
from mlebench.sandbox.ending import Reason
from mlebench.sandbox.job import Job
from mlebench.sandbox.limits import Limits
from mlebench.sandbox.port_forward import PortForward
from mlebench.sandbox.process import ProcessSandbox
from mlebench.sandbox.stop import StopSignal

from .conftest import KEY

pytestmark = pytest.mark.slow("runs")

SCRIPT = """
import json, os, time, urllib.request
def ask(**more):
    body = json.dumps({"model": "gpt", "messages": [{"role": "user", "content": "Hi"}], **more}).encode()
    request = urllib.request.Request(os.environ["OPENAI_BASE_URL"] + "/chat/completions", body)
    request.add_header("Authorization", "Bearer none")
    return urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=60)
print(json.load(ask())["choices"][0]["message"]["content"])
for line in ask(stream=True):
    if b"[DONE]" in line:
        print("done", dict(os.environ), flush=True)
"""


@pytest.fixture(params=[BubblewrapSandbox(), ProcessSandbox()], ids=lambda sandbox: sandbox.name)
def run_job(request, require, tmp_path):
    """A function that runs a script with a model server in each sandbox; returns the ending and what was said."""
    sandbox = request.param
    require(sandbox.probe())
    for name in ("data", "home"):
        (tmp_path / name).mkdir()
    (tmp_path / "brief").touch()

    def run_job(script, server, stop):
        job = Job(
            name="models",
            command=("{python}", "-c", script),
            data=tmp_path / "data",
            instructions=tmp_path / "brief",
            home=tmp_path / "home",
            log=tmp_path / "log",
            port_forwards=(PortForward(4000, server.socket_path, {"OPENAI_BASE_URL": "/v1"}),),
        )
        ending = sandbox.run(job, Limits(seconds=60), stop=stop, events=lambda *_, **__: None)
        return ending, job.log.read_text()

    return run_job


def test_a_job_uses_a_model_without_a_key(rig, run_job):
    server, run = rig([Reply("Hello from outside."), Reply("And again.")])
    ending, said = run_job(SCRIPT, run.model_server, StopSignal())
    assert ending.reason is Reason.FINISHED, said
    assert said.startswith("Hello from outside.\ndone")
    assert KEY not in said
    assert KEY in server.requests[0].headers["authorization"]
    assert run.model_server.usage().total.requests == 2


def test_a_used_up_budget_ends_the_job(rig, run_job, tmp_path):
    server = rig.serve(["1", "2"])
    stop = StopSignal()
    model_server = rig.gateway(rig.config(server)).serve_run(
        tmp_path / "s",
        run_id="r",
        events=lambda *_, **__: None,
        budget=Budget(requests=1),
        on_exhausted=lambda message: stop.request(Reason.BUDGET, message),
    )
    with model_server:
        ending, _ = run_job(f"{SCRIPT}\ntime.sleep(50)".replace("for line", "ask()\nfor line"), model_server, stop)
    assert ending.reason in (Reason.BUDGET, Reason.CRASHED)  # the script may end by the refusal itself
    assert stop.requested.reason is Reason.BUDGET
    assert stop.requested.message == "The run's budget is used up: it allows 1 model request."
