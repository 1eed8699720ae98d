"""Groups in containers: the bundled agents, limits and an open network."""

from __future__ import annotations

import dataclasses
import json

import pytest

import mlebench
from mlebench.agents.registry import get_agent
from mlebench.errors import UsageError
from mlebench.runs.events import read_events
from mlebench.runs.verify import verify
from mlebench.sandbox.container import TOKEN_LABEL
from mlebench.sandbox.ending import Reason
from mlebench.sandbox.limits import GiB, Limits
from mlebench.sandbox.tokens import new_token


@pytest.fixture(params=["docker", "podman"])
def engine(request):
    return request.getfixturevalue(request.param)


def events_of(arena, run, group="group"):
    return list(read_events(arena.folder / "runs" / group / run.run_id / "attempts" / "1" / "events.jsonl"))


def test_bundled_agents(arena, engine):
    limits = Limits(seconds=120, grace=5, cpus=1, memory=GiB, disk=GiB)
    plan = arena.plan(get_agent("dummy"), get_agent("baseline"), seeds=2, sandbox=engine.name, limits=limits)
    record = arena.run(plan)
    assert (record.plan.sandbox, record.plan.network) == (engine.name, "closed")
    assert all(record.guarantees.values())
    for run in record.runs.values():
        assert run.ending.reason is Reason.FINISHED, run.ending
        assert run.verdict.outcome == "graded", run.verdict
        (started,) = [event for event in events_of(arena, run) if event["kind"] == "started"]
        assert started["image"].startswith("sha256:")
    scores = {agent: {r.verdict.score for r in record.runs.values() if r.agent == agent} for agent in plan.agents}
    for path in (arena.folder / "runs" / "group").glob("*dummy*/attempts/1/logs/checks.json"):
        broken = {name: check["seen"] for name, check in json.loads(path.read_text()).items() if not check["held"]}
        assert broken == {}
    assert max(scores["baseline"]) != max(scores["dummy"])
    assert verify(arena.folder / "runs" / "group") == []
    mine = new_token().rpartition("-")[0]
    assert not [token for token in engine.list_containers(TOKEN_LABEL).values() if token.startswith(mine)]


def test_an_open_network_is_reported_everywhere(arena, engine, submit):
    plan = dataclasses.replace(arena.plan(arena.agent("tested", submit), sandbox=engine.name), network="open")
    record = arena.run(plan)
    assert record.plan.network == "open"
    assert [name for name, held in record.guarantees.items() if not held] == ["network"]
    (run,) = record.runs.values()
    kinds = [event["kind"] for event in events_of(arena, run)]
    assert kinds.index("network_open") < kinds.index("ended")
    group = arena.folder / "runs" / "group"
    assert "There is internet access" in (group / run.run_id / "attempts/1/instructions.txt").read_text()
    assert len([caveat for caveat in mlebench.report(group).summary.caveats if "network" in caveat]) == 1
    assert plan.default_name() != dataclasses.replace(plan, network="closed").default_name()


def test_bubblewrap_opens_no_network(arena, submit, is_short_message):
    plan = arena.plan(arena.agent("tested", submit))
    with pytest.raises(UsageError) as refusal:
        dataclasses.replace(plan, network="open")
    assert is_short_message(str(refusal.value))
    assert "docker or podman" in str(refusal.value)
