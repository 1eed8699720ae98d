"""What is decided before a group starts: profiles, places, and what it takes at most."""

import threading
import time

import pytest

from mlebench.cli.resources import resources
from mlebench.errors import DeclarationError, EnvironmentUnfitError, UnknownNameError, UsageError
from mlebench.runs.forecast import Forecast
from mlebench.runs.profiles import get_profile, profile_names
from mlebench.runs.slots import Slots, fitting
from mlebench.runs.story import story, tell
from mlebench.sandbox.limits import GiB, Limits

NOTHING = dict.fromkeys(("profile", "time_limit", "memory", "cpus", "disk", "gpus", "parallel"))


@pytest.mark.parametrize("name", profile_names())
def test_profiles_are_readable_and_keep_their_names(name):
    assert get_profile(name)[0] == name
    assert resources(**NOTHING | {"profile": name}, grace="10s").profile == name


def test_a_changed_profile_says_so():
    changed = resources(**NOTHING | {"profile": "smoke", "time_limit": "90s"}, grace="10s")
    assert changed.profile == "smoke (changed)"
    assert changed.limits.seconds == 90
    assert changed.limits.memory == 2 * GiB


def test_a_profile_of_the_users(tmp_path):
    path = tmp_path / "mine.yaml"
    path.write_text("description: mine\nseconds: 60\ncpus: 1\nmemory_gib: 1\ndisk_gib: 1\n")
    assert get_profile(str(path)) == ("mine", get_profile(str(path))[1])
    path.write_text("description: mine\nseconds: -1\ncpus: 1\nmemory_gib: 1\ndisk_gib: 1\n")
    with pytest.raises(DeclarationError, match="seconds"):
        get_profile(str(path))
    with pytest.raises(UsageError, match="no profile file"):
        get_profile(str(tmp_path / "none.yaml"))
    with pytest.raises(UnknownNameError, match="did you mean 'smoke'"):
        get_profile("smok")


def test_runs_that_fit_by_cores_memory_and_gpus():
    assert fitting(Limits(cpus=1, memory=None), gpus_each=0, gpus=0) >= 1
    assert fitting(Limits(cpus=0.001, memory=None), gpus_each=2, gpus=5) <= 2
    for limits, gpus_each, word in (
        (Limits(cpus=1e6), 0, "cores"),
        (Limits(cpus=1, memory=2**60), 0, "memory"),
        (Limits(cpus=1, memory=1), 1, "GPU"),
    ):
        with pytest.raises(EnvironmentUnfitError, match=word):
            fitting(limits, gpus_each=gpus_each, gpus=0)


def test_no_two_runs_have_the_same_gpu_at_a_time():
    slots = Slots(3, 2, range(7))
    lock, held, most = threading.Lock(), [], []

    def work():
        with slots.take() as gpus:
            with lock:
                held.extend(gpus)
                assert len(held) == len(set(held))
                most.append(len(held))
            time.sleep(0.005)
            with lock:
                for gpu in gpus:
                    held.remove(gpu)

    threads = [threading.Thread(target=work) for _ in range(30)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (held, len(most)) == ([], 30)
    with pytest.raises(UsageError, match="--parallel"):
        Slots(4, 2, range(7))


def test_a_forecast_bounds_hours_and_disk(arena, submit):
    plan = arena.plan(arena.agent("tested", submit), seeds=5, limits=Limits(seconds=3600, grace=0, disk=GiB))
    forecast = Forecast.of(plan, arena.folder / "runs" / "new", at_a_time=2)
    assert (forecast.runs, forecast.done, forecast.hours, forecast.disk) == (5, 0, 3.0, 2 * GiB)
    assert forecast.disk_free > 0
    assert forecast.money is None


def test_every_event_of_a_run_is_told_in_words(arena, submit):
    from mlebench.runs.events import read_events

    run = arena.run_one(submit + "open('/home/code/a', 'w'); import os; os.symlink('a', '/home/code/b')")
    events = list(read_events(arena.folder / "runs/group" / run.run_id / "events.jsonl"))
    for _event, (_, kind, sentence) in zip(events, story(events), strict=True):
        assert sentence.endswith((".", "!")), sentence
        assert not sentence.startswith(f"{kind}:"), sentence
    assert tell({"kind": "unheard_of", "number": 3, "size": 7}) == "unheard_of: size 7."
