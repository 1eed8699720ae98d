import pytest

from mlebench.errors import UnknownNameError, UsageError
from mlebench.runs.options import RunOptions
from mlebench.runs.planning import plan_group


def options(tmp_path, **changes):
    given = {
        "agents": "dummy",
        "competitions": "demo-wine",
        "sandbox": "process",
        "time_limit": "1h",
        "cpus": 1,
        "memory": 1 / 64,
        "disk": 1,
        "parallel": 2,
        "runs_dir": tmp_path / "runs",
        "data_dir": tmp_path / "data",
    }
    return RunOptions.of(**given | changes)


def test_planning_writes_nothing(tmp_path):
    group = plan_group(options(tmp_path, group="mine"))
    assert group.folder == tmp_path / "runs" / "mine"
    assert list(tmp_path.iterdir()) == []


def test_the_summary_says_what_runs_and_what_it_takes_at_most(tmp_path):
    size, limits, most, *_ = plan_group(options(tmp_path, seeds=3, group="mine")).summary()
    assert "3 runs (1 agent x 1 competition x 3 seeds), 0 done, 2 at a time in process" in size
    assert "WITH AN OPEN NETWORK" in size
    assert limits == "Limits per run: 1 hour, 1 core, 16 MiB of memory."
    assert most.startswith("At most: 2 hours for the remaining runs, 2 GiB on disk")


def test_a_rehearsal_has_data_of_its_own(tmp_path):
    group = plan_group(options(tmp_path, rehearsal=True))
    assert group.registry.get_data_dir() == tmp_path / "data" / "rehearsal"


@pytest.mark.parametrize(
    ("changes", "error", "words"),
    [
        ({"agents": ()}, UsageError, "Name an agent"),
        ({"agents": ("dummy", "dummy")}, UsageError, "the same id"),
        ({"network": "opne"}, UnknownNameError, "did you mean 'open'"),
        ({"model_mode": "record"}, UsageError, "A recording needs --models"),
        ({"recording": "calls.jsonl"}, UsageError, "A recording needs --models"),
        ({"models": "none.yaml", "model_mode": "replya"}, UnknownNameError, "did you mean 'replay'"),
        ({"models": "none.yaml", "model_mode": "replay"}, UsageError, "replay needs a --recording"),
        ({"models": "none.yaml", "recording": "calls.jsonl"}, UsageError, "live takes no --recording"),
        ({"group": "../up"}, UsageError, "group's name"),
    ],
)
def test_contradicting_options_are_refused(tmp_path, changes, error, words):
    with pytest.raises(error, match=words):
        plan_group(options(tmp_path, **changes))
