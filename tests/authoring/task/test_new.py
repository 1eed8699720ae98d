"""A table of one's own becomes a task that runs, passes the battery, and can be shared; or one learns why not."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes, load_wine

import mlebench
from mlebench.authoring.task import make_task
from mlebench.battery import problems_of
from mlebench.errors import MLEBenchError, RawDataError, UnknownNameError, UsageError
from mlebench.ground.tables import read_csv
from mlebench.tasks.registry import Registry

ROOT = Path(__file__).resolve().parents[3]


def tumours():
    return load_breast_cancer(as_frame=True).frame


def wines():
    """Text classes, ids of text, gaps, True and False, blanks and commas, and names that no brief can hold."""
    data = load_wine(as_frame=True)
    rows = data.frame.assign(
        target=[f"{data.target_names[code]}, red" for code in data.target],
        bottle=[f"b{number:03}" for number in range(len(data.frame))],
        strong=data.frame["alcohol"] > 13,
        region=np.resize(["north", "south", None], len(data.frame)),
        note=[f"tastes of {number} things" for number in range(len(data.frame))],
        empty=np.nan,
    )
    rows.loc[::7, "hue"] = np.nan
    return rows.rename(columns={"ash": "a`sh", "magnesium": "two\nlines"})


def patients():
    return load_diabetes(as_frame=True).frame


def wide():
    draw = np.random.default_rng(0)
    columns = {f"a_rather_long_name_of_a_column_{n}": draw.normal(size=60) for n in range(400)}
    return pd.DataFrame({**columns, "y": draw.integers(0, 2, 60)})


CASES = {
    "auc": (tumours, {}),
    "logloss": (wines, {"id_column": "bottle", "embed": False}),
    "accuracy": (wines, {}),
    "rmse": (patients, {"embed": False, "title": "Sugar after a year"}),
    "pearson": (patients, {"test_size": 0.5}),
    "ap": (wide, {"target": "y"}),
}


@pytest.mark.parametrize("metric", CASES)
def test_what_is_made_passes_the_battery(metric, tmp_path):
    table, options = CASES[metric]
    options = {"target": "target", **options}
    table().to_csv(tmp_path / "own table.csv", index=False)
    made = make_task(tmp_path / "tasks" / "gq-task", tmp_path / "own table.csv", metric=metric, **options)
    (tmp_path / "scratch").mkdir()
    assert problems_of(made.folder, tmp_path / "scratch") == []
    assert made.train_rows + made.test_rows == len(table())
    assert os.listdir(tmp_path / "tasks") == ["gq-task"]  # noqa: PTH208
    competition = Registry(folders=(made.folder,)).get_competition("gq-task")
    assert competition.is_embedded == options.get("embed", True)
    board = competition.standings.scores
    assert len(board) >= 8
    assert competition.standings.is_better(board[0], board[-1])
    for brief in (competition.brief(), competition.brief(obfuscated=True)):
        assert 35 <= len(brief.splitlines()) <= 120
        assert max(map(len, brief.splitlines())) <= 130


def test_rehearsal_data_are_none_of_the_rows(tmp_path):
    wines().to_csv(tmp_path / "wine.csv", index=False)
    made = make_task(tmp_path / "gq-task", tmp_path / "wine.csv", "target", "logloss", id_column="bottle", embed=False)
    from mlebench.preparation import read_member

    synthetic = read_csv(read_member(made.folder / "rehearsal.zip", "wine.csv"))
    real = read_csv(tmp_path / "wine.csv")
    assert list(synthetic.columns) == list(real.columns)
    assert list(map(str, synthetic.dtypes)) == list(map(str, real.dtypes))
    assert set(synthetic["target"]) == set(real["target"])
    assert not set(synthetic["bottle"]) & set(real["bottle"])
    assert synthetic["hue"].isna().any()
    features = ["alcohol", "hue", "proline"]
    assert not set(map(tuple, synthetic[features].to_numpy())) & set(map(tuple, real[features].to_numpy()))


GOOD = "x,y\n" + "".join(f"{row},{row % 2}\n" for row in range(40))
FAULTS = {
    "no file": (None, {}, RawDataError, "no file"),
    "empty file": ("", {}, RawDataError, "is empty"),
    "header only": ("x,y\n", {}, RawDataError, "no rows below"),
    "too few rows": ("x,y\n1,0\n2,1\n", {}, RawDataError, "has 2 rows"),
    "wrong encoding": (GOOD.replace("x", "gr\xf6\xdfe").encode("latin1"), {}, RawDataError, "iconv"),
    "semicolons": (GOOD.replace(",", ";"), {}, RawDataError, "semicolons"),
    "unnamed column": (GOOD.replace("x", ""), {}, RawDataError, "has no name"),
    "same names": (GOOD.replace("x,y", "y,y"), {}, RawDataError, "two columns named 'y'"),
    "longer rows": (GOOD.replace("x,y", "y"), {}, RawDataError, "more cells"),
    "ragged rows": (GOOD + "1,2,3\n", {}, RawDataError, "cannot be read as a CSV"),
    "missing column": (GOOD, {"target": "Y"}, UnknownNameError, "did you mean 'y'"),
    "missing ids": (GOOD, {"id_column": "row"}, UnknownNameError, "no column of own.csv named 'row'"),
    "repeated ids": (GOOD.replace("\n3,", "\n2,"), {"id_column": "x"}, RawDataError, "repeat the id .* '2'"),
    "ids are the target": (GOOD, {"id_column": "y"}, RawDataError, "cannot be both"),
    "constant target": (re.sub(",1", ",0", GOOD), {}, RawDataError, "same value in all rows"),
    "gaps in the target": (GOOD.replace("3,1", "3,"), {}, RawDataError, "missing in 4 of 40"),
    "text for rmse": (GOOD.replace(",1", ",yes"), {"metric": "rmse"}, RawDataError, "numbers .* such as 'yes'"),
    "text for auc": (GOOD.replace(",1", ",yes"), {}, RawDataError, "must be 0 or 1 .* 'yes'"),
    "fractions for accuracy": (GOOD.replace(",1", ",0.5"), {"metric": "accuracy"}, RawDataError, "no class"),
    "too many classes": (GOOD, {"metric": "f1", "target": "x", "id_column": None}, RawDataError, "too many for"),
    "negative for rmsle": (GOOD.replace(",1", ",-1"), {"metric": "rmsle"}, RawDataError, "negative"),
    "rare class": (GOOD.replace(",1", ",0") + "99,1\n", {}, RawDataError, "so rare"),
    "unknown metric": (GOOD, {"metric": "acuracy"}, UnknownNameError, "did you mean 'accuracy'"),
    "metric of another form": (GOOD, {"metric": "dice_score"}, UsageError, "another form"),
    "test share": (GOOD, {"test_size": 20}, UsageError, "between 0 and 1"),
    "plain title": (GOOD, {"title": "Row"}, UsageError, "tell more"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_table_or_a_wish_that_will_not_do_is_refused_with_one_sentence(fault, tmp_path, is_one_sentence):
    content, options, error, words = FAULTS[fault]
    source = tmp_path / "own.csv"
    if content is not None:
        source.write_bytes(content if isinstance(content, bytes) else content.encode())
    options = {"target": "y", "metric": "auc", **options}
    with pytest.raises(error, match=words) as caught:
        make_task(tmp_path / "tasks" / "gq-task", source, **options)
    assert is_one_sentence(re.sub(r"\?$", ".", str(caught.value).replace(str(tmp_path), ""))), caught.value
    assert not list(tmp_path.rglob("gq-task"))


@pytest.mark.parametrize("name", ["My Task", "my_task", "-task", "t", "tàsk", "spaceship.titanic"])
def test_a_name_that_is_no_id_is_refused(name, tmp_path):
    (tmp_path / "own.csv").write_text(GOOD)
    with pytest.raises(UsageError, match="cannot be a competition's id"):
        make_task(tmp_path / name, tmp_path / "own.csv", "y", "auc")


def test_a_folder_that_is_there_is_left_alone(tmp_path):
    (tmp_path / "own.csv").write_text(GOOD)
    (tmp_path / "gq-task").mkdir()
    with pytest.raises(MLEBenchError, match=r"a folder .*gq-task already"):
        make_task(tmp_path / "gq-task", tmp_path / "own.csv", "y", "auc")


def test_broken_tasks_do_not_pass_the_battery(tmp_path):
    (tmp_path / "own.csv").write_text(GOOD)
    folder = make_task(tmp_path / "gq-task", tmp_path / "own.csv", "y", "auc").folder
    code = (folder / "task.py").read_text()
    for number, (name, old, new, words) in enumerate(
        [
            ("task.py", "test.drop(columns=TARGET)", "test", "holds answers of test rows"),
            ("task.py", "TEST_SIZE)", "TEST_SIZE, seed=int('first' in str(raw)))", "preparing twice"),
            ("task.py", '"sample_submission.csv"', '"sample.csv"', "did not write"),
            ("brief_obfuscated.md", "# Prediction", "# Gq-task prediction", "gives the task away"),
            ("brief.md", "## Evaluation", "## Score", "no section on evaluation"),
            ("leaderboard.csv", "score\n", "score\n0.001\n", "not sorted"),
        ]
    ):
        broken = tmp_path / f"broken{number}" / "gq-task"
        shutil.copytree(folder, broken)
        text = (broken / name).read_text()
        assert old in text
        (broken / name).write_text(text.replace(old, new))
        scratch = tmp_path / f"scratch{number}"
        scratch.mkdir()
        assert any(words in problem for problem in problems_of(broken, scratch)), (name, words)
    assert code == (folder / "task.py").read_text()


def run(*words, cwd, **environment):
    """Run a program as a user does, and return what it printed."""
    known = {**os.environ, "XDG_CACHE_HOME": str(cwd / "cache"), **environment}
    result = subprocess.run([*map(str, words)], cwd=cwd, env=known, capture_output=True, text=True, timeout=400)
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout


@pytest.mark.timeout(400)
def test_from_a_table_to_a_graded_run(tmp_path):
    tumours().to_csv(tmp_path / "train.csv", index=False)
    own = [sys.executable, "-m", "mlebench"]
    made = run(*own, "new", "gq-task", "--from", "train.csv", "--target", "target", "--metric", "auc", cwd=tmp_path)
    steps = [line.split() for line in made.splitlines() if line.startswith("  mlebench ")]
    assert [words[1] for words in steps] == ["run", "dev"]
    for words in steps:  # what it says to do next
        run(*own, *words[1:], cwd=tmp_path)
    (submission,) = tmp_path.glob("runs/*/*/*/submission.csv")
    task = ["gq-task", "--folder", "gq-task"]
    assert "valid" in run(*own, "validate", submission, *task, cwd=tmp_path)
    report = json.loads(run(*own, "grade-sample", submission, *task, cwd=tmp_path))
    assert report["valid_submission"]
    assert report["score"] > 0.9
    assert run(sys.executable, "-m", "pytest", "-q", "gq-task", cwd=tmp_path).count("1 passed") == 1


@pytest.mark.timeout(600)
def test_shared_as_a_plugin_package_as_the_documents_say(tmp_path, require):
    """The package of docs/competitions.md, built and installed; then this repository's whole battery runs on it."""
    text = (ROOT / "docs" / "competitions.md").read_text(encoding="utf-8")
    (project,) = re.findall(r"```toml\n(.*?)```", text, flags=re.DOTALL)
    package = tmp_path / "my-tasks"
    (package / "my_tasks").mkdir(parents=True)
    (package / "pyproject.toml").write_text(project)
    (package / "my_tasks" / "__init__.py").touch()
    wines().to_csv(tmp_path / "wine.csv", index=False)
    make_task(package / "my_tasks" / "gq-task", tmp_path / "wine.csv", "target", "accuracy")
    site = tmp_path / "site"
    install = [sys.executable, "-m", "pip", "install", "--no-deps", "--target", site, package]
    done = subprocess.run([*map(str, install)], capture_output=True, text=True, timeout=300)
    if done.returncode and "hatchling" in done.stderr:
        require("the package index, for hatchling, cannot be reached")
    assert done.returncode == 0, done.stderr
    path = f"{site}{os.pathsep}{Path(mlebench.__file__).parents[1]}"
    shown = run(sys.executable, "-m", "mlebench", "show", "gq-task", "--json", cwd=tmp_path, PYTHONPATH=path)
    assert json.loads(shown)["id"] == "gq-task"
    battery = [ROOT / "tests" / "competitions" / "test_all.py", "-k", "gq-task", "-p", "no:cacheprovider"]
    said = run(sys.executable, "-m", "pytest", "-q", "--rootdir", ROOT, *battery, cwd=tmp_path, PYTHONPATH=path)
    assert int(re.search(r"(\d+) passed", said)[1]) >= 20
