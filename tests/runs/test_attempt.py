import pytest

from mlebench.grading.reports import Outcome
from mlebench.runs.chain import read_chain
from mlebench.runs.events import read_events
from mlebench.runs.record import Status
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
    assert read_chain(folder / "attempts" / "1" / "events.jsonl").broken is None


def test_each_seed_is_a_run_and_reaches_the_agent(arena):
    agent = arena.agent("seeded", "import os; print('seed', os.environ['SEED'], os.environ['COMPETITION_ID'])")
    record = arena.run(arena.plan(agent, seeds=3))
    for run in record.runs.values():
        log = (arena.folder / "runs" / "group" / run.run_id / "run.log").read_text()
        assert f"seed {run.seed} demo-wine" in log
    assert len(record.runs) == 3
