"""The exported tree, read and run the way programs that expect the reference's checkout do."""

from __future__ import annotations

import csv
import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
import yaml

from mlebench.export import export_reference_tree
from mlebench.registry import Registry

GOLDEN = Path(__file__).resolve().parents[1] / "golden"
MODULES = "__init__ data grade grade_helpers metrics registry utils".split()
NOT_IN_A_COPY = "pydantic pydantic_core typer rich psutil kagglesdk requests pyarrow".split()
"""Packages that a copied task must do without."""
HIDE = f"""
import importlib.abc, sys
class Hidden(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name.partition(".")[0] in {NOT_IN_A_COPY!r}:
            raise ModuleNotFoundError(name)
sys.meta_path.insert(0, Hidden())
"""


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    target = tmp_path_factory.mktemp("export") / "mle-bench"
    export_reference_tree(target)
    return target


@pytest.fixture(scope="module")
def configs(tree):
    paths = sorted((tree / "mlebench" / "competitions").glob("*/config.yaml"))
    return {path.parent.name: yaml.safe_load(path.read_text()) for path in paths}


@pytest.fixture
def run(tmp_path):
    """A function that runs Python with a folder first on its path, elsewhere."""

    def call(first, script, *args):
        (tmp_path / "elsewhere").mkdir(exist_ok=True)
        script = f"import sys\nsys.path.insert(0, {str(first)!r})\n{script}"
        environment = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "PYTHONDONTWRITEBYTECODE": "1"}
        return subprocess.run(
            [sys.executable, "-c", script, *map(str, args)],
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
            cwd=tmp_path / "elsewhere",
            env=environment,
            timeout=300,
        )

    return call


def copied_task(tree: Path, competition_id: str, target: Path) -> Path:
    """Copy what a task folder made from a checkout has, and nothing else; returns the folder for `sys.path`."""
    package = target / "mlebench"
    (package / "competitions").mkdir(parents=True)
    for name in MODULES:
        shutil.copy(tree / "mlebench" / f"{name}.py", package)
    for name in ("__init__", "utils"):
        shutil.copy(tree / "mlebench" / "competitions" / f"{name}.py", package / "competitions")
    folder = Path("mlebench", "competitions", competition_id)
    shutil.copytree(tree / folder, target / folder)
    return target


# The files


def test_the_files_that_programs_look_for_are_there(tree):
    wanted = ["pyproject.toml", "experiments/competition_categories.csv", "runs/run_group_experiments.csv"]
    wanted += [f"mlebench/{name}.py" for name in [*MODULES, "cli", "competitions/__init__", "competitions/utils"]]
    wanted += [f"experiments/{name}.py" for name in ("make_submission", "aggregate_grading_reports")]
    wanted += [f"environment/{name}" for name in ("entrypoint.sh", "grading_server.py", "validate_submission.sh")]
    wanted += ["environment/instructions.txt", "environment/requirements.txt"]
    assert [name for name in wanted if not (tree / name).is_file()] == []
    names = {path.name for path in tree.rglob("*")}
    assert not names & {"__pycache__", "templates", "core", "project.toml"}
    assert "@" not in (tree / "pyproject.toml").read_text()


def test_every_competition_but_the_embedded_ones_has_its_folder(tree, configs):
    demo = set(Registry().get_split("demo"))
    assert list(configs) == [name for name in Registry().list_competition_ids() if name not in demo]
    for name in configs:
        files = {path.name for path in (tree / "mlebench" / "competitions" / name).iterdir()}
        assert files >= set("config.yaml description.md leaderboard.csv prepare.py grade.py".split())


def test_configs_have_the_keys_and_relative_paths_that_programs_use(tree, configs):
    for name, config in configs.items():
        assert config["id"] == name
        assert config["name"]
        assert config["competition_type"]
        assert config["grader"]["name"]
        assert (tree / config["description"]).read_text().startswith("# ")
        files = config["dataset"]
        assert set(files) - {"gold_submission"} == {"answers", "sample_submission"}
        assert all(path.startswith(f"{name}/prepared/") and ".." not in path for path in files.values())
        package = f"mlebench.competitions.{name}"
        assert (config["grader"]["grade_fn"], config["preparer"]) == (
            f"{package}.grade:grade",
            f"{package}.prepare:prepare",
        )


def test_the_first_and_the_last_score_of_a_leaderboard_tell_the_direction(tree, configs):
    for name in configs:
        with (tree / "mlebench" / "competitions" / name / "leaderboard.csv").open(newline="") as file:
            scores = [float(row["score"]) for row in csv.DictReader(file)]
        assert (scores[0] < scores[-1]) == Registry().get_competition(name).lower_is_better


def test_splits_and_categories(tree, configs):
    splits = {path.stem: path.read_text().split() for path in (tree / "experiments" / "splits").iterdir()}
    assert {name: len(splits[name]) for name in ("low", "medium", "high", "split75")} == {
        "low": 22,
        "medium": 38,
        "high": 15,
        "split75": 75,
    }
    assert {"dev", "spaceship-titanic"} < set(splits)
    assert {name for ids in splits.values() for name in ids} <= set(configs)
    with (tree / "experiments" / "competition_categories.csv").open(newline="") as file:
        rows = {row["competition_id"]: row for row in csv.DictReader(file)}
    assert set(rows) == set(configs)
    assert rows["leaf-classification"]["Complexity"] == "Low"
    assert rows["leaf-classification"]["category"]
    assert float(rows["leaf-classification"]["dataset_size_GB"]) > 0


# The code


@pytest.mark.slow("programs")
def test_every_preparer_and_grade_function_can_be_imported(tree, run):
    script = """
import importlib, json
from pathlib import Path
import yaml
for path in sorted(Path(sys.path[0]).glob("mlebench/competitions/*/config.yaml")):
    config = yaml.safe_load(path.read_text())
    for reference in (config["preparer"], config["grader"]["grade_fn"]):
        module, function = reference.split(":")
        assert callable(getattr(importlib.import_module(module), function)), reference
import mlebench
print(mlebench.__file__)
"""
    result = run(tree, script)
    assert result.returncode == 0, result.stderr
    assert result.stdout == f"{tree / 'mlebench' / '__init__.py'}\n"


@pytest.mark.slow("programs")
def test_a_program_prepares_and_grades_with_the_functions_themselves(tree, run, tmp_path, ship):
    with zipfile.ZipFile(ship.folder / "rehearsal.zip") as archive:
        archive.extractall(tmp_path / "raw")
    script = """
import importlib
from pathlib import Path
import pandas as pd
home = Path(sys.argv[1])
prepare = importlib.import_module("mlebench.competitions.spaceship-titanic.prepare").prepare
grade = importlib.import_module("mlebench.competitions.spaceship-titanic.grade").grade
for name in ("public", "private"):
    (home / name).mkdir()
prepare(raw=home / "raw", public=home / "public", private=home / "private")
answers = pd.read_csv(home / "private" / "test.csv")
print(grade(pd.read_csv(home / "public" / "sample_submission.csv"), answers))
try:
    grade(answers[["PassengerId"]], answers)
except Exception as error:
    print(type(error).__name__)
"""
    result = run(tree, script, tmp_path)
    assert result.stdout.split() == ["0.5", "InvalidSubmissionError"], result.stderr
    assert (tmp_path / "private" / "test.csv").read_bytes() == ship.answers.read_bytes()


@pytest.mark.slow("programs")
@pytest.mark.parametrize(
    "competition_id", ["leaf-classification", "tensorflow2-question-answering", "smartphone-decimeter-2022"]
)
def test_a_copied_task_grades_alone_and_without_most_packages(tree, run, tmp_path, competition_id):
    golden = GOLDEN / competition_id
    data = tmp_path / "data" / competition_id / "prepared" / "private"
    with zipfile.ZipFile(golden / "private.zip") as archive:
        archive.extractall(data)
    script = f"""
{HIDE}
import json
from pathlib import Path
from mlebench.data import is_dataset_prepared
from mlebench.grade import grade_csv
from mlebench.registry import registry
competition = registry.set_data_dir(Path(sys.argv[1])).get_competition(sys.argv[2])
assert is_dataset_prepared(competition, grading_only=True)
submissions = sorted(Path(sys.argv[3]).glob("*.csv"))
print(json.dumps({{path.stem: grade_csv(path, competition).to_dict() for path in submissions}}))
"""
    copy = copied_task(tree, competition_id, tmp_path / "copy")
    result = run(copy, script, tmp_path / "data", competition_id, golden / "submissions")
    assert result.returncode == 0, result.stderr
    reports = json.loads(result.stdout)
    for name, wanted in json.loads((golden / "golden.json").read_text())["submissions"].items():
        graded = wanted["outcome"] == "graded"
        assert reports[name]["valid_submission"] == graded, name
        assert str(reports[name]["score"]) == str(float(wanted["score"]) if graded else None), name
        assert reports[name]["any_medal"] == (wanted.get("medal") is not None), name
    assert {str(path) for path in (tmp_path / "elsewhere").iterdir()} == set()


@pytest.mark.slow("programs")
def test_every_grade_function_gives_the_references_score(tree, run, tmp_path):
    script = """
import importlib, io, json, zipfile
from pathlib import Path
from mlebench.utils import load_answers, read_csv
golden, scratch = Path(sys.argv[1]), Path(sys.argv[2])
wrong = {}
for record in sorted(golden.glob("*/golden.json")):
    wanted, name = json.loads(record.read_text()), record.parent.name
    answers = scratch / Path(wanted["answers"]).name
    with zipfile.ZipFile(record.parent / "private.zip") as archive:
        answers.write_bytes(archive.read(wanted["answers"].removeprefix("private/")))
    grade = importlib.import_module(f"mlebench.competitions.{name}.grade").grade
    submission = read_csv(record.parent / "submissions" / "noisy.csv")
    score = round(grade(submission, load_answers(answers)), 5)
    if score != float(wanted["submissions"]["noisy"]["score"]):
        wrong[name] = score
print(len(list(golden.glob("*/golden.json"))), wrong)
"""
    result = run(tree, HIDE + script, GOLDEN, tmp_path)
    assert result.stdout == "82 {}\n", result.stderr


@pytest.mark.slow("programs")
def test_the_names_that_programs_import_behave(tree, run, ship):
    script = """
import inspect, json, logging
from pathlib import Path
from mlebench.registry import DEFAULT_DATA_DIR, Registry, registry
from mlebench.data import download_and_prepare_dataset, download_dataset, get_leaderboard
from mlebench.grade import validate_submission
from mlebench.grade_helpers import CompetitionReport, Grader, InvalidSubmissionError
from mlebench.metrics import average_precision_at_k, mean_average_precision_at_k, dice_coefficient
from mlebench.competitions.utils import (
    df_to_one_hot, one_hot_dfs_to_log_loss_inputs, is_one_hot_encoded, rle_decode, rle_encode, rles_to_masks,
    get_ids_from_tf_records, prepare_for_accuracy_metric, prepare_for_auroc_metric,
)
from mlebench.utils import read_csv, extract, compress, get_logger, get_repo_dir
import numpy as np, pandas as pd
assert registry.get_data_dir() == DEFAULT_DATA_DIR
assert len(registry.get_lite_competition_ids()) == 22
assert get_repo_dir() == Path(sys.path[0])
assert "round(score, 5)" in inspect.getsource(Grader.__call__)
competition = Registry(Path(sys.argv[1])).get_competition("spaceship-titanic")
assert competition.leaderboard.parent == registry.get_competitions_dir() / "spaceship-titanic"
assert competition.grader.is_lower_better(get_leaderboard(competition)) is False
assert competition.description.startswith("# ")
print(validate_submission(competition.sample_submission, competition)[1])
try:
    registry.get_competition("none")
except Exception as error:
    print(type(error).__name__)
assert average_precision_at_k([1, 2], [1, 1, 3, 2], 4) == (1 + 2 / 4) / 2
assert mean_average_precision_at_k([[1], [2]], [[1], [3]], 1) == 0.5
mask = np.zeros((3, 4), bool)
mask[1:, 2] = True
assert rle_encode(mask) == "8 2"
assert (rle_decode("8 2", (3, 4)) == mask).all()
assert dice_coefficient(*rles_to_masks(["8 2", "8 1"], (3, 4))) == 2 / 3
labels = pd.DataFrame({"id": [2, 1], "label": ["a", "b"]})
hot = df_to_one_hot(labels, "id", "label", ["a", "b"])
assert is_one_hot_encoded(hot, ["a", "b"])
truth, guess = one_hot_dfs_to_log_loss_inputs(hot[::-1], hot)
assert truth.equals(guess)
assert [list(x) for x in prepare_for_accuracy_metric(labels[::-1], labels, "label")] == [["a", "b"]] * 2
assert list(prepare_for_auroc_metric(hot[::-1], hot, "a")[1]) == [1, 0]
"""
    result = run(tree, script, ship.public_dir.parents[2])
    assert result.returncode == 0, result.stderr
    assert result.stdout.split("\n") == ["Submission is valid.", "UnknownNameError", ""]


@pytest.mark.slow("programs")
def test_a_folder_that_is_dropped_in_is_a_competition(tree, run, tmp_path, ship):
    copy = copied_task(tree, "spaceship-titanic", tmp_path / "copy")
    own = copy / "mlebench" / "competitions" / "my-own"
    own.mkdir()
    config = (copy / "mlebench/competitions/spaceship-titanic/config.yaml").read_text()
    (own / "config.yaml").write_text(config.replace("spaceship-titanic", "my-own"))
    (own / "description.md").write_text("# Mine")
    (own / "leaderboard.csv").write_text("score\n0.9\n0.1\n")
    (own / "prepare.py").write_text(
        "from mlebench.utils import read_csv\n\n\ndef prepare(raw, public, private):\n    pass\n"
    )
    imports = "from mlebench.grade_helpers import InvalidSubmissionError"
    (own / "grade.py").write_text(f"{imports}\n\n\ndef grade(submission, answers):\n    return 0.9\n")
    shutil.copytree(ship.prepared_dir, tmp_path / "data" / "my-own" / "prepared")
    script = """
from pathlib import Path
from mlebench.grade import grade_csv
from mlebench.registry import registry
bound = registry.set_data_dir(Path(sys.argv[1]))
print(bound.list_competition_ids())
competition = bound.get_competition("my-own")
print(grade_csv(competition.sample_submission, competition).gold_medal)
"""
    result = run(copy, script, tmp_path / "data")
    assert result.stdout.split("\n")[:2] == ["['my-own', 'spaceship-titanic']", "True"], result.stderr


@pytest.mark.slow("programs")
def test_the_trees_command_line(tree, run, tmp_path, ship):
    script = "from mlebench.cli import main\nmain()"
    raw = tmp_path / "data" / "spaceship-titanic" / "raw"
    with zipfile.ZipFile(ship.folder / "rehearsal.zip") as archive:
        archive.extractall(raw)
    where = ("--data-dir", tmp_path / "data")
    assert run(tree, script, "prepare", *where).returncode == 2
    assert run(tree, script, "prepare", "-c", "none", *where).returncode == 1
    refused = run(tree, script, "prepare", "-c", "spaceship-titanic", *where)
    assert refused.returncode == 1
    assert "differ from the files on record" in refused.stderr
    done = run(tree, script, "prepare", "--comp", "spaceship-titanic", "--skip-verification", *where)
    assert done.returncode == 0, done.stderr
    assert not raw.exists()
    sample = tmp_path / "data" / "spaceship-titanic" / "prepared" / "public" / "sample_submission.csv"
    graded = run(tree, script, "grade-sample", sample, "spaceship-titanic", *where)
    assert json.loads(graded.stdout)["score"] == 0.5
    assert "{" not in graded.stderr
    (tmp_path / "s.jsonl").write_text(json.dumps({"competition_id": ship.id, "submission_path": str(sample)}))
    listed = run(tree, script, "grade", "--submission", tmp_path / "s.jsonl", "--output-dir", tmp_path / "o", *where)
    assert listed.returncode == 0, listed.stderr
    assert len(list((tmp_path / "o").glob("*_grading_report.json"))) == 1
    board = run(tree, script, "dev", "download-leaderboard", "-c", "spaceship-titanic")
    assert Path(board.stdout.strip()).is_file()


# Experiments and environment


@pytest.mark.slow("programs")
def test_a_group_becomes_a_submission_list_and_reports_become_a_table(tree, tmp_path):
    group = tmp_path / "group"
    for number in (1, 2):
        (group / f"spaceship-titanic_{number}" / "submission").mkdir(parents=True)
    (group / "spaceship-titanic_1" / "submission" / "submission.csv").touch()
    runs = {"spaceship-titanic_2": {}, "spaceship-titanic_1": {}}
    (group / "metadata.json").write_text(json.dumps({"run_group": "group", "created_at": "", "runs": runs}))
    script = tree / "experiments" / "make_submission.py"
    listing = tmp_path / "submission.jsonl"
    command = [sys.executable, script, "--metadata", group / "metadata.json", "--output", listing]
    subprocess.run(command, check=True, timeout=300)
    rows = [json.loads(line) for line in listing.read_text().splitlines()]
    assert [row["competition_id"] for row in rows] == ["spaceship-titanic"] * 2
    assert rows[0]["submission_path"] is None
    assert Path(rows[1]["submission_path"]).is_file()

    def report(name, *golds):
        fields = ("silver_medal", "bronze_medal", "above_median", "submission_exists", "valid_submission")
        entries = [
            {"competition_id": "spaceship-titanic", "gold_medal": gold, **dict.fromkeys(fields, gold)} for gold in golds
        ]
        (tmp_path / name).write_text(json.dumps({"competition_reports": entries}))
        return tmp_path / name

    script = tree / "experiments" / "aggregate_grading_reports.py"
    command = [sys.executable, script, "--split", "spaceship-titanic"]
    files = [report("a.json", True, False), report("b.json", True)]
    done = subprocess.run(
        [*command, "--grading-reports", *files], capture_output=True, text=True, timeout=300, check=True
    )
    seeds, _, table = done.stdout.partition("Average metrics across seeds:\n")
    assert [line.partition(":")[0] for line in seeds.splitlines()] == ["Seed 0", "Seed 1", "Seed 2"]
    found = json.loads(table)
    assert (found["num_seeds_averaged"], found["num_competitions_per_seed"]) == (3, 1)
    gold = found["metrics"]["gold_medal"]
    assert gold["mean"] == pytest.approx(200 / 3)
    assert gold["standard_error"] == pytest.approx(100 / 3)
    assert gold["ci_upper"] == pytest.approx(200 / 3 + 1.96 * 100 / 3)
    lacking = [*command, "--num-seeds", "4", "--grading-reports", *files]
    assert subprocess.run(lacking, capture_output=True, timeout=300).returncode == 1
    padded = subprocess.run([*lacking, "--pad-missing"], capture_output=True, text=True, timeout=300, check=True)
    assert json.loads(padded.stdout.partition("seeds:\n")[2])["metrics"]["gold_medal"]["mean"] == 50


@pytest.mark.slow("programs")
def test_the_check_in_a_container_knows_the_form_and_not_the_answers(tree, ship, tmp_path, monkeypatch):
    for script in ("entrypoint.sh", "validate_submission.sh"):
        subprocess.run(["sh", "-n", tree / "environment" / script], check=True)
        assert os.access(tree / "environment" / script, os.X_OK)
    public = tmp_path / "data"
    public.mkdir()
    shutil.copy(ship.sample_submission, public)
    source = (tree / "environment" / "grading_server.py").read_text().replace("/home/data", str(public))
    server = tmp_path / "server.py"
    server.write_text(source)
    environment = os.environ | {"PYTHONPATH": str(tree), "COMPETITION_ID": ship.id, "HOME": str(tmp_path)}
    process = subprocess.Popen([sys.executable, server, "0"], env=environment, stderr=subprocess.PIPE, text=True)
    try:
        port = int(process.stderr.readline().rpartition(" ")[2])
        ask = [tree / "environment" / "validate_submission.sh"]
        address = os.environ | {"VALIDATE_URL": f"http://localhost:{port}"}
        answer = subprocess.run([*ask, ship.sample_submission], capture_output=True, env=address, timeout=300)
        assert answer.stdout == b'{"result":"Submission is valid."}\n'
        (tmp_path / "bad.csv").write_text("PassengerId\n1\n")
        answer = subprocess.run([*ask, tmp_path / "bad.csv"], capture_output=True, env=address, timeout=300)
        assert json.loads(answer.stdout)["result"].startswith("Submission invalid! Submission is missing")
    finally:
        process.kill()
        process.wait()
        process.stderr.close()
