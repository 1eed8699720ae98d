from __future__ import annotations

import os
import signal
import threading
from concurrent.futures import ThreadPoolExecutor

import psutil
import pytest

from mlebench.errors import RunError
from mlebench.grading.check import VALID, check_submission
from mlebench.grading.judge import judge
from mlebench.grading.pool import GradingPool
from mlebench.grading.reports import Outcome
from mlebench.grading.requests import Bounds, GiB
from mlebench.tasks.registry import Registry

from ..waiting import wait_until

pytestmark = pytest.mark.slow("programs")

MiB = 1024**2
SMALL = Bounds(memory=512 * MiB, seconds=600, cpu_seconds=1)
BRIEF = Bounds(memory=512 * MiB, seconds=2)
BOMB = "submission = [bytearray(1024**2) for _ in range(4096)]"
"""Code that takes 4 GiB."""


def pids():
    """Return the process ids of this process's grading workers."""
    children = psutil.Process().children()
    return {child.pid for child in children if "mlebench.grading.worker" in child.cmdline()}


def test_a_worker_gives_the_verdict_and_the_message_that_this_process_gives(ship, tmp_path):
    paths = [ship.sample_submission, ship.sample_submission.with_name("nothing.csv")]
    for number, text in enumerate(("", "a,b\n1,2\n", "\0", "PassengerId,Transported\n1,perhaps\n")):
        paths.append(tmp_path / f"{number}.csv")
        paths[-1].write_text(text)
    with GradingPool(Registry(ship.prepared_dir.parents[1])) as pool:
        for path in paths:
            both = (judge(path, ship), pool.judge(path, ship))
            verdicts = [verdict.model_dump(exclude={"graded_at"}) for verdict in both]
            assert verdicts[0] == verdicts[1]
            assert pool.check(path, ship) == check_submission(path, ship)
        assert len(pids()) == 2  # one that grades, one that checks
    assert not pids()


@pytest.mark.parametrize(
    ("code", "bounds"),
    [
        ("os._exit(1)", SMALL),
        ("os.kill(os.getpid(), signal.SIGKILL)", SMALL),
        ("while True: pass", SMALL),
        ("time.sleep(3600)", BRIEF),
        ("os.kill(os.getpid(), signal.SIGSTOP)", BRIEF),
        (BOMB, SMALL),
        ("'a' * 2**40", SMALL),
    ],
)
def test_a_check_that_dies_or_takes_too_much_is_answered_in_one_sentence(own_task, code, bounds, is_one_sentence):
    registry, competition = own_task(code)
    before = psutil.Process().memory_info().rss
    with GradingPool(registry, check_bounds=bounds) as pool:
        for _ in range(2):  # the worker is replaced, or works on
            result = pool.measured_check(competition.sample_submission, competition)
            assert result.exceeded
            assert result.message.startswith("Submission could not be checked within 512 MiB of memory and ")
            assert is_one_sentence(result.message)
    assert psutil.Process().memory_info().rss - before < 256 * MiB


@pytest.mark.parametrize("code", ["os._exit(1)", "time.sleep(3600)"])
def test_a_grading_that_dies_or_hangs_fails_and_the_next_one_works(own_task, code):
    registry, competition = own_task(code)
    with GradingPool(registry, grading_bounds=Bounds(16 * GiB, seconds=5)) as pool:
        for _ in range(2):
            verdict = pool.judge(competition.sample_submission, competition)
            assert (verdict.outcome, verdict.submission_path) == (Outcome.FAILED, str(competition.sample_submission))
            assert "Grading died" in verdict.reason


def test_a_grading_that_takes_too_much_memory_fails(own_task):
    registry, competition = own_task("bytearray(2**40)")
    with GradingPool(registry) as pool:
        verdict = pool.judge(competition.sample_submission, competition)
    assert verdict.outcome is Outcome.FAILED
    assert "MemoryError" in verdict.reason


def test_output_of_a_task_does_no_harm(own_task):
    registry, competition = own_task("sys.stdout.flush(); os.write(1, b'noise'); return 0.25")
    with GradingPool(registry) as pool:
        assert pool.judge(competition.sample_submission, competition).score == 0.25
        assert pool.check(competition.sample_submission, competition) == VALID


def test_a_check_that_fails_says_nothing_about_the_submission(own_task):
    registry, competition = own_task("raise KeyError('secret')")
    with GradingPool(registry) as pool, pytest.raises(RunError, match="The check of own failed: KeyError"):
        pool.check(competition.sample_submission, competition)


def test_other_submissions_are_graded_while_one_grading_is_busy(own_task, ship, tmp_path):
    """One worker is enough for a verdict, however many snapshots wait for the others."""
    started, end = tmp_path / "started", tmp_path / "end"
    code = f"open({str(started)!r}, 'a').write('x')\n    while not os.path.exists({str(end)!r}): time.sleep(0.05)"
    registry, slow = own_task(code + "\n    return 0.5")
    (registry.get_data_dir() / "spaceship-titanic").symlink_to(ship.prepared_dir.parent)
    with GradingPool(registry, gradings=2) as pool, ThreadPoolExecutor(4) as threads:
        snapshots = [
            threads.submit(pool.judge, slow.sample_submission, slow, urgent=False),
            threads.submit(pool.judge, slow.sample_submission, slow, urgent=False),
        ]
        assert wait_until(started.exists)
        assert pool.judge(ship.sample_submission, ship).outcome is Outcome.GRADED
        assert started.read_text() == "x"
        end.touch()
        assert [future.result().score for future in snapshots] == [0.5, 0.5]


def test_a_worker_that_was_killed_while_idle_is_replaced(ship):
    with GradingPool(Registry(ship.prepared_dir.parents[1])) as pool:
        assert pool.check(ship.sample_submission, ship) == VALID
        (pid,) = pids()
        os.kill(pid, signal.SIGKILL)  # it may still look alive for a moment
        assert pool.check(ship.sample_submission, ship) == VALID
        assert pids() != {pid}


def test_workers_that_cannot_start_are_no_fault_of_the_submission(ship, monkeypatch, tmp_path):
    (tmp_path / "pandas.py").write_text("import os; os._exit(1)")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with GradingPool(Registry(ship.prepared_dir.parents[1])) as pool:
        for grade in (pool.judge, pool.check):
            with pytest.raises(RunError, match="ended before it could begin, 3 times"):
                grade(ship.sample_submission, ship)
    assert not pids()


def test_a_worker_that_keeps_much_memory_is_replaced(ship, monkeypatch):
    monkeypatch.setattr("mlebench.grading.workers.MAX_KEPT_MEMORY", MiB)
    with GradingPool(Registry(ship.prepared_dir.parents[1])) as pool:
        assert pool.check(ship.sample_submission, ship) == VALID
        assert not pids()


def test_the_number_of_workers_is_bounded(own_task, tmp_path):
    registry, competition = own_task(f"open({str(tmp_path / 'pids')!r}, 'a').write(str(os.getpid()) + ' ')")
    with GradingPool(registry, checks=2) as pool, ThreadPoolExecutor(8) as threads:
        paths = [competition.sample_submission] * 16
        assert set(threads.map(pool.check, paths, [competition] * 16)) == {VALID}
        assert 1 <= len(pids()) <= 2
    written = (tmp_path / "pids").read_text().split()
    assert len(written) == 16
    assert len(set(written)) <= 2


def test_closing_the_pool_ends_what_is_under_way(own_task, tmp_path):
    started = tmp_path / "started"
    registry, competition = own_task(f"open({str(started)!r}, 'w').close(); time.sleep(3600)")
    with GradingPool(registry) as pool:
        thread = threading.Thread(target=pool.check, args=(competition.sample_submission, competition))
        thread.start()
        assert wait_until(started.exists)
    thread.join(120)
    assert not thread.is_alive()
    assert not pids()
    with pytest.raises(RunError, match="The harness ends"):
        pool.check(competition.sample_submission, competition)
