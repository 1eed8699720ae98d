import json
import os
import shutil

import pytest

from mlebench.errors import GroupBusyError, RunError, UsageError
from mlebench.grading.reports import Outcome
from mlebench.runs.events import first_broken_event, read_events
from mlebench.runs.plan import check_group_name
from mlebench.runs.record import Status
from mlebench.runs.store import GroupStore
from mlebench.sandbox.ending import Reason
from mlebench.sandbox.limits import Limits


def test_a_run_is_made_collected_and_graded(arena, submit):
    run = arena.run_one(submit + "print('hello'); open('/home/code/mine.py', 'w').write('pass')")
    assert run.status is Status.GRADED
    assert run.ending.reason is Reason.FINISHED
    assert run.verdict.outcome is Outcome.GRADED
    assert run.verdict.score == arena.competition.declaration.sample_score
    folder = arena.folder / "runs" / "group" / run.run_id
    assert (folder / "submission" / "submission.csv").is_file()
    assert (folder / "code" / "mine.py").read_text() == "pass"
    assert "hello" in (folder / "run.log").read_text()
    assert not list(folder.glob("attempts/*/home"))


@pytest.mark.parametrize(
    ("code", "reason", "outcome"),
    [
        ("pass", Reason.FINISHED, Outcome.MISSING),
        ("raise SystemExit(3)", Reason.CRASHED, Outcome.MISSING),
        ("open('/home/submission/submission.csv', 'w').write('a,b')", Reason.FINISHED, Outcome.INVALID),
        ("import os; os.symlink('/etc/passwd', '/home/submission/submission.csv')", Reason.FINISHED, Outcome.MISSING),
        ("import os; os.mkfifo('/home/submission/submission.csv')", Reason.FINISHED, Outcome.MISSING),
        ("import os; os.mkdir('/home/submission/submission.csv')", Reason.FINISHED, Outcome.INVALID),
    ],
)  # fmt: skip
def test_what_an_agent_leaves_decides_the_verdict(arena, code, reason, outcome):
    run = arena.run_one(code)
    assert (run.ending.reason, run.verdict.outcome) == (reason, outcome)
    assert run.verdict.score is None


def test_a_run_at_its_time_limit_keeps_its_submission(arena, submit):
    limits = Limits(seconds=5, grace=0.5, memory=2**29)
    run = arena.run_one(f"{submit}import time; time.sleep(600)", limits=limits)
    assert run.ending.reason is Reason.TIME
    assert run.ending.seconds < 30
    assert run.verdict.outcome is Outcome.GRADED


def test_the_check_inside_knows_the_form_only(arena):
    code = """
import os, subprocess
sample = os.environ["DATA_DIR"] + "/sample_submission.csv"
target = os.environ["SUBMISSION_DIR"] + "/submission.csv"
lines = open(sample).read().splitlines()
for content in (lines, lines[:-1]):
    open(target, "w").write("\\n".join(content) + "\\n")
    print(subprocess.run(["sh", "/home/validate_submission.sh", target], capture_output=True, text=True).stdout)
"""
    run = arena.run_one(code)
    folder = arena.folder / "runs" / "group" / run.run_id
    log = (folder / "run.log").read_text()
    assert '{"result":"Submission is valid."}' in log
    assert '{"result":"Submission invalid! The submission has ' in log
    checks = [event for event in read_events(folder / "events.jsonl") if event["kind"] == "check"]
    assert len(checks) == 2
    assert first_broken_event(folder / "events.jsonl") is None


def test_instructions_name_what_is_there(arena):
    run = arena.run_one("import os; print(open(os.environ['INSTRUCTIONS']).read()); print(os.listdir('/home'))")
    log = (arena.folder / "runs" / "group" / run.run_id / "run.log").read_text()
    assert "/home/submission" in log
    assert "30 seconds" in log
    assert arena.competition.description[:200] in log
    for name in ("data", "submission", "code", "logs", "agent", "instructions.txt", "validate_submission.sh"):
        assert f"'{name}'" in log


def test_each_seed_is_a_run_and_reaches_the_agent(arena):
    agent = arena.agent("seeded", "import os; print('seed', os.environ['SEED'], os.environ['COMPETITION_ID'])")
    record = arena.run(arena.plan(agent, seeds=3))
    for run in record.runs.values():
        log = (arena.folder / "runs" / "group" / run.run_id / "run.log").read_text()
        assert f"seed {run.seed} demo-wine" in log
    assert len(record.runs) == 3


def test_the_same_plan_runs_nothing_twice(arena, submit):
    plan = arena.plan(arena.agent("once", submit), seeds=2)
    first = arena.run(plan)
    began = list(arena.progress.begun)
    assert arena.run(plan) == first
    assert arena.progress.begun == began


def test_another_plan_in_the_same_group_is_refused(arena, submit):
    agent = arena.agent("once", submit)
    arena.run(arena.plan(agent))
    with pytest.raises(RunError, match="seeds: 1 before, 2 now"):
        arena.run(arena.plan(agent, seeds=2))


def test_a_folder_name_that_is_not_utf8_is_refused_before_anything_runs(arena, submit):
    with pytest.raises(RunError, match="not UTF-8"):
        arena.run(arena.plan(arena.agent("once", submit)), group=os.fsdecode(b"group\xff"))
    assert not (arena.folder / "runs").exists()


def test_a_group_is_locked_by_one_process(arena, submit):
    plan = arena.plan(arena.agent("once", submit))
    folder = arena.folder / "runs" / "group"
    store = GroupStore.open(folder, plan.record, plan.runs, {})
    try:
        with pytest.raises(GroupBusyError):
            arena.run(plan)
    finally:
        store.close()
    arena.run(plan)


def test_an_agent_failure_is_a_result_and_not_retried(arena):
    assert arena.run_one("raise SystemExit(1)").attempt == 1


def test_a_harness_failure_is_retried_and_never_counts_as_a_result(arena, submit):
    agent = arena.agent("faulty", submit)
    plan = arena.plan(agent)
    shutil.rmtree(agent.folder)  # so that the run cannot even be laid out
    (run,) = arena.run(plan).runs.values()
    assert (run.status, run.attempt, run.ending.reason) == (Status.PLANNED, 3, Reason.HARNESS)
    assert run.verdict is None
    arena.agent("faulty", submit)
    (run,) = arena.run(plan).runs.values()
    assert (run.status, run.attempt) == (Status.GRADED, 4)


def test_other_programs_can_read_submission_jsonl_and_metadata(arena, submit):
    record = arena.run(arena.plan(arena.agent("good", submit), arena.agent("idle", "pass")))
    folder = arena.folder / "runs" / "group"
    lines = [json.loads(line) for line in (folder / "submission.jsonl").read_text().splitlines()]
    assert [line["competition_id"] for line in lines] == ["demo-wine", "demo-wine"]
    assert [line["submission_path"] is None for line in lines] == [False, True]
    report = json.loads((folder / "grading_report.json").read_text())
    assert (report["total_runs"], report["total_valid_submissions"]) == (2, 1)
    assert [row["submission_exists"] for row in report["competition_reports"]] == [True, False]
    metadata = json.loads((folder / "metadata.json").read_text())
    assert metadata["run_group"] == "group"
    assert list(metadata["runs"]) == list(record.runs)
    assert all(run_id.partition("_")[0] == "demo-wine" for run_id in metadata["runs"])


@pytest.mark.parametrize("name", ["", "../up", "a/b", ".hidden", "a b", "x\n"])
def test_group_names_stay_in_their_folder(name):
    with pytest.raises(UsageError):
        check_group_name(name)
