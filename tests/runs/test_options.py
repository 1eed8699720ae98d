import json
from pathlib import Path

import pytest

from mlebench.errors import RunError, UsageError
from mlebench.runs.layout import OPTIONS
from mlebench.runs.options import FilledOptions, RunOptions


@pytest.mark.parametrize(
    ("given", "names"), [(None, ()), ("dummy", ("dummy",)), (Path("a/b"), ("a/b",)), (["a", "b"], ("a", "b"))]
)
def test_one_name_is_a_list_of_one(given, names):
    assert RunOptions.of(agents=given).agents == names


@pytest.mark.parametrize(
    ("name", "value"), [("seeds", 0), ("seeds", "many"), ("parallel", 0), ("gpus", -1), ("colour", "red")]
)
def test_a_wrong_option_is_named_with_its_value(name, value):
    with pytest.raises(UsageError, match=f"The option {name} is wrong: .*, not {value!r}"):
        RunOptions.of(**{name: value})


def test_options_are_read_back_from_a_group_that_was_moved(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my-agent").mkdir()
    options = RunOptions.of(
        agents=["dummy", "my-agent"], competitions="demo-wine", profile="mine.yaml", data_dir="data", folders=["own"]
    )
    (tmp_path / "runs" / "old").mkdir(parents=True)
    (tmp_path / "runs" / "old" / OPTIONS).write_text(options.as_file())
    moved = (tmp_path / "runs" / "old").rename(tmp_path / "new")
    monkeypatch.chdir("/")
    read = RunOptions.read(moved)
    assert read == options.model_copy(
        update={
            "agents": ("dummy", str(tmp_path / "my-agent")),
            "profile": str(tmp_path / "mine.yaml"),
            "data_dir": tmp_path / "data",
            "folders": (tmp_path / "own",),
            "runs_dir": tmp_path,
            "group": "new",
        }
    )


@pytest.mark.parametrize("content", [None, "", "{", "[]", '{"colour": "red"}', '{"seeds": 0}'])
def test_a_folder_without_readable_options_is_refused(tmp_path, content):
    if content is not None:
        (tmp_path / OPTIONS).write_text(content)
    with pytest.raises(RunError, match="Repeat the command that started the group"):
        RunOptions.read(tmp_path)


@pytest.fixture
def experiment(tmp_path):
    path = tmp_path / "mine.yaml"
    content = {"description": "Mine.", "agents": ["dummy"], "split": "demo", "seeds": 3, "profile": "smoke"}
    path.write_text(json.dumps(content))
    return str(path)


@pytest.mark.parametrize(
    ("changes", "name", "expected"),
    [
        ({}, "mine", {"agents": ("dummy",), "split": "demo", "seeds": 3, "profile": "smoke"}),
        ({"parallel": 2, "group": "x"}, "mine", {"parallel": 2, "group": "x", "seeds": 3}),
        ({"seeds": 1}, "mine (changed)", {"seeds": 1, "split": "demo"}),
        ({"competitions": "demo-wine"}, "mine (changed)", {"competitions": ("demo-wine",), "split": None}),
    ],
)
def test_options_win_over_their_experiment_and_change_its_name(experiment, changes, name, expected):
    filled = FilledOptions.of(RunOptions.of(experiment=experiment, **changes))
    assert filled.name == name
    assert {key: getattr(filled.options, key) for key in expected} == expected


def test_an_experiment_of_experiments_gives_the_options_of_each(experiment, tmp_path):
    both = tmp_path / "both.yaml"
    both.write_text(json.dumps({"description": "Both.", "of": [experiment, experiment]}))
    assert RunOptions.of(experiment=experiment).parts == ()
    parts = RunOptions.of(experiment=str(both), seeds=2).parts
    assert parts == (RunOptions.of(experiment=experiment, seeds=2),) * 2
