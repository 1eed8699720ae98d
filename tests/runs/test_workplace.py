import os
import subprocess
import sys

import pytest

from mlebench.runs.workplace import WORK, sweep_workplaces, workplace
from mlebench.sandbox.limits import MiB
from mlebench.sandbox.tokens import new_token
from mlebench.sandbox.volume import is_volume


def test_a_workplace_is_removed_with_its_content_whatever_happens(tmp_path):
    with pytest.raises(ZeroDivisionError), workplace(tmp_path) as place:
        (place / "home" / "file").write_text("content")
        assert place.parent == tmp_path / WORK
        raise ZeroDivisionError
    assert not place.exists()


@pytest.mark.slow("programs")
def test_what_an_agent_may_write_is_bounded_where_that_is_possible_and_removed_in_any_case(tmp_path):
    with workplace(tmp_path, 32 * MiB) as place:
        (place / "home" / "file").write_bytes(bytes(MiB))
        status = os.statvfs(place / "home")
        assert status.f_blocks * status.f_frsize < 64 * MiB or not is_volume(place / "home")
    assert list((tmp_path / WORK).iterdir()) == []


@pytest.mark.slow("programs")
def test_sweeping_unmounts_what_a_killed_harness_left(tmp_path):
    script = f"""
import os, pathlib, signal
from mlebench.runs.workplace import workplace
with workplace(pathlib.Path({str(tmp_path)!r}), {32 * MiB}) as place:
    (place / "home" / "file").touch()
    os.kill(os.getpid(), signal.SIGKILL)
"""
    subprocess.run([sys.executable, "-c", script], check=False)
    (left,) = (tmp_path / WORK).iterdir()
    assert (left / "home" / "file").exists()
    sweep_workplaces(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_two_workplaces_have_different_paths(tmp_path):
    with workplace(tmp_path) as one, workplace(tmp_path) as two:
        assert one != two


def test_sweeping_removes_what_dead_processes_left_and_nothing_else(tmp_path):
    namespace, pid, started, random = new_token().split("-")
    dead = f"{namespace}-{pid}-{int(started) + 1}-{random}"  # another process that had our id
    foreign = f"{int(namespace) + 1}-{pid}-{int(started) + 1}-{random}"
    for name in (dead, foreign, "notes"):
        (tmp_path / WORK / name / "home").mkdir(parents=True)
    with workplace(tmp_path) as ours:
        sweep_workplaces(tmp_path)
        assert {path.name for path in (tmp_path / WORK).iterdir()} == {foreign, "notes", ours.name}


def test_sweeping_removes_the_folder_of_workplaces_when_it_is_empty(tmp_path):
    sweep_workplaces(tmp_path)  # there is none
    with workplace(tmp_path):
        pass
    sweep_workplaces(tmp_path)
    assert list(tmp_path.iterdir()) == []
