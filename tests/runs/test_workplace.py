import pytest

from mlebench.runs.workplace import WORK, sweep_workplaces, workplace
from mlebench.sandbox.tokens import new_token


def test_a_workplace_is_removed_with_its_content_whatever_happens(tmp_path):
    with pytest.raises(ZeroDivisionError), workplace(tmp_path) as place:
        (place / "home").mkdir()
        (place / "home" / "file").write_text("content")
        assert place.parent == tmp_path / WORK
        raise ZeroDivisionError
    assert not place.exists()


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
