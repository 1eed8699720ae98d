"""Where competitions come from: built in, a folder of the user's, plugin packages."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import mlebench
from mlebench.errors import DeclarationError, UnknownNameError
from mlebench.tasks.ref import Version
from mlebench.tasks.registry import FOLDERS_VARIABLE, Registry, folder_name


@pytest.mark.parametrize("inside", [True, False], ids=["folder of folders", "folder itself"])
def test_folder_given_to_the_registry(own_task, inside):
    folder = own_task()
    registry = Registry(folders=(folder.parent if inside else folder,))
    assert registry.get_competition("my-task").folder == folder.resolve()
    assert registry.get_competition("my-task@v2").version is Version.V2
    assert {"my-task", "spaceship-titanic"} <= set(registry.list_competition_ids())
    assert "my-task" in registry.set_data_dir(folder).list_competition_ids()
    assert "my-task" not in Registry().list_competition_ids()


def test_folders_named_by_the_environment(own_task, tmp_path, monkeypatch):
    one, two = own_task("task-one", tmp_path / "a"), own_task("task-two", tmp_path / "b")
    monkeypatch.setenv(FOLDERS_VARIABLE, f"{one.parent}{os.pathsep}{two}")
    assert {"task-one", "task-two"} <= set(Registry().list_competition_ids())


@pytest.mark.slow("programs")
def test_plugin_package_by_entry_point(own_task, tmp_path):
    site = tmp_path / "site"
    own_task("plugged-task", site / "my_tasks")
    (site / "my_tasks" / "__init__.py").touch()
    about = site / "my_tasks-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: my-tasks\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[mlebench.competitions]\nmine = my_tasks\n")
    script = (
        "import json; from mlebench.registry import registry;"
        "print(json.dumps([registry.get_competition('plugged-task').name, registry.list_competition_ids()]))"
    )
    source = Path(mlebench.__file__).parent.parent
    environment = os.environ | {"PYTHONPATH": f"{site}{os.pathsep}{source}"}
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, env=environment)
    assert result.returncode == 0, result.stderr
    name, ids = json.loads(result.stdout)
    assert name == "Spaceship Titanic"
    assert {"plugged-task", "spaceship-titanic"} <= set(ids)


@pytest.mark.parametrize("competition_id", ["spaceship-titanic", "twice"])
def test_two_folders_of_one_id_are_refused(competition_id, own_task, tmp_path):
    first, second = (own_task(competition_id, tmp_path / place) for place in "ab")
    registry = Registry(folders=(first, second))
    with pytest.raises(DeclarationError, match=f"Two folders declare the competition '{competition_id}'"):
        registry.list_competition_ids()


def test_folder_that_does_not_exist_is_named(tmp_path):
    with pytest.raises(DeclarationError, match=r"no folder .*nowhere with competitions"):
        Registry(folders=(tmp_path / "nowhere",)).list_competition_ids()


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("spaceship-titanik", "spaceship-titanic"),
        ("Spaceship-Titanic", "spaceship-titanic"),
        ("spaceship_titanic", "spaceship-titanic"),
        ("leaf-clasification", "leaf-classification"),
        ("tgs-salt-identification", "tgs-salt-identification-challenge"),
    ],
)
def test_wrong_name_is_answered_with_the_nearest(wrong, right):
    with pytest.raises(UnknownNameError, match=f"no competition named '{wrong}'; did you mean '{right}'"):
        Registry().get_competition(wrong)


@pytest.mark.parametrize("wrong", ["", "/", "..", "../competitions/spaceship_titanic", "a\0b", "@v2", "{}"])
def test_strange_name_is_unknown(wrong):
    with pytest.raises(UnknownNameError):
        Registry().get_competition(wrong)


def test_unknown_version_and_split_are_answered_with_those_there_are():
    with pytest.raises(UnknownNameError, match=r"no version named 'v9'"):
        Registry().get_competition("spaceship-titanic@v9")
    with pytest.raises(UnknownNameError, match="demo-wine"):
        Registry().get_competition("demo-wine@v2")
    with pytest.raises(UnknownNameError, match="did you mean 'low'"):
        Registry().get_split("lo")
    with pytest.raises(UnknownNameError):
        Registry().get_split("../splits/low")


def test_missing_function_in_a_tasks_code_is_named_when_it_is_called(own_task):
    folder = own_task()
    (folder / "task.py").write_text("def something_else(): ...\n")
    competition = Registry(folders=(folder,)).get_competition("my-task")
    with pytest.raises(DeclarationError, match=r"task\.py has no function named 'prepare'"):
        competition.prepare_fn(None, None, None)


def test_folders_are_named_after_ids():
    assert folder_name("3d-object-detection") == "_3d_object_detection"
    assert folder_name("AI4Code") == "AI4Code"


def test_every_split_lists_each_id_once():
    registry = Registry()
    for name in registry.list_splits():
        ids = registry.get_split(name)
        assert len(ids) == len(set(ids)) > 0
    assert registry.get_split("lite") == registry.get_split("low") == registry.get_lite_competition_ids()
    assert len(registry.get_split("all")) == 75
    parts = [registry.get_split(name) for name in ("low", "medium", "high")]
    assert [len(part) for part in parts] == [22, 38, 15]
    assert sorted(id for part in parts for id in part) == sorted(registry.get_split("all"))
