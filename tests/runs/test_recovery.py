"""What no crash explains stays a finding after the group is continued, and a damaged log is not continued."""

import json
import shutil

import pytest

from mlebench.errors import RunError
from mlebench.runs.chain import read_chain
from mlebench.runs.launch import resume
from mlebench.runs.regrade import regrade
from mlebench.runs.verify import verify

GOOD = "demo-wine_good_seed-0"


@pytest.fixture
def group(finished, tmp_path):
    shutil.copytree(finished, tmp_path / "group", symlinks=True)
    return tmp_path / "group"


def rewrite(path, change):
    content = json.loads(path.read_text())
    change(content)
    path.write_text(json.dumps(content, indent=2, ensure_ascii=False) + "\n")


def roll_back(group):
    """Let a graded run be graded again."""
    rewrite(group / GOOD / "run.json", lambda run: run.update(status="ended", verdict=None, regrades=[]))


def repeat(group):
    """Let a graded run be attempted again."""
    shutil.rmtree(group / GOOD)
    update = {"status": "planned", "attempt": 0, "verdict": None, "regrades": []}
    rewrite(group / "metadata.json", lambda record: record["runs"][GOOD].update(update))


@pytest.mark.parametrize("tamper", [roll_back, repeat])
def test_a_run_that_was_rolled_back_is_found_after_the_group_is_continued(group, tamper):
    tamper(group)
    assert verify(group)
    assert resume(group).is_finished
    assert "group.jsonl" in [found.path for found in verify(group)]


@pytest.mark.parametrize("proceed", [resume, regrade])
def test_a_group_whose_log_is_missing_or_damaged_is_not_continued(group, proceed):
    log = group / "group.jsonl"
    content = log.read_text()
    log.unlink()
    with pytest.raises(RunError, match=r"group\.jsonl of the group is missing"):
        proceed(group)
    log.write_text(content.replace('"attempt": 2', '"attempt": 1', 1))
    with pytest.raises(RunError, match="was changed"):
        proceed(group)
    log.write_text(content)
    (group / "metadata.json").unlink()
    with pytest.raises(RunError, match=r"metadata\.json"):
        proceed(group)


def test_an_interrupted_attempt_is_sealed_when_the_group_is_continued(group):
    chain = read_chain(group / GOOD / "attempts" / "1" / "events.jsonl")
    assert [event.kind for event in chain.links][-2:] == ["interrupted", "sealed"]
    steps = [line for line in (group / "group.jsonl").read_text().splitlines() if GOOD in line][1:]
    kinds = [json.loads(line)["kind"] for line in steps]
    assert kinds == ["started", "interrupted", "started", "ended", "graded", "regraded"]


def test_the_log_does_not_grow_when_nothing_happens(finished):
    before = (finished / "group.jsonl").read_bytes()
    resume(finished)
    assert (finished / "group.jsonl").read_bytes() == before
