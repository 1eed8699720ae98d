import pytest

from mlebench.ground.files import write_atomically
from mlebench.runs.layout import METADATA, RUN
from mlebench.runs.leftovers import is_leftover_file, is_leftover_link, sweep


def test_the_temporary_name_of_a_file_is_that_of_a_leftover(tmp_path, monkeypatch):
    names = []
    monkeypatch.setattr("os.replace", lambda source, target: names.append(source.rpartition("/")[2]))
    for name in (METADATA, RUN):
        write_atomically(tmp_path / name, "{}")
        assert is_leftover_file(names[-1])
    sweep(tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["run.json", ".run.json", ".run.json.short", ".other.json.abcdefgh", ".lock"])
def test_other_names_are_kept(tmp_path, name):
    (tmp_path / name).touch()
    (tmp_path / ".run.log.link").symlink_to("attempts/1/run.log")
    assert not is_leftover_file(name)
    assert is_leftover_link(".run.log.link")
    assert not is_leftover_link(f"{name}.link")
    sweep(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_a_folder_that_is_missing_has_no_leftovers(tmp_path):
    sweep(tmp_path / "missing")
