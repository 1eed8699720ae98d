"""The names, defaults, texts and files that programs written for MLE-bench rely on."""

from __future__ import annotations

import dataclasses
import gzip
import importlib
import inspect
import json
import logging
import math
import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from datetime import datetime
from pathlib import Path

import pandas as pd
import pytest

import mlebench
from mlebench import data, grade, grade_helpers, registry, utils
from mlebench.errors import MLEBenchError
from mlebench.grade_helpers import CompetitionReport, Grader, InvalidSubmissionError
from mlebench.registry import Registry
from mlebench.tasks.competition import Competition
from mlebench.tasks.registry import default_data_dir

SOURCE = Path(mlebench.__file__).parent.parent
FIELDS = """
    competition_id score gold_threshold silver_threshold bronze_threshold median_threshold any_medal gold_medal
    silver_medal bronze_medal above_median submission_exists valid_submission is_lower_better created_at
    submission_path
""".split()
TOTALS = """
    total_runs total_runs_with_submissions total_valid_submissions total_medals total_gold_medals
    total_silver_medals total_bronze_medals total_above_median competition_reports
""".split()


def run_python(script: str, **options) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"PYTHONPATH": str(SOURCE)}
    return subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, env=environment, timeout=300, **options
    )


def parameters(function) -> dict[str, object]:
    """Names and defaults of a function's arguments."""
    return {name: p.default for name, p in inspect.signature(function).parameters.items()}


# Importing


NAMES = {
    "registry": "DEFAULT_DATA_DIR Competition Registry registry",
    "data": """
        create_prepared_dir download_and_prepare_dataset download_dataset ensure_leaderboard_exists generate_checksums
        get_checksum get_leaderboard is_dataset_prepared
    """,
    "grade": "aggregate_reports grade_csv grade_jsonl validate_submission",
    "grade_helpers": "CompetitionReport Grader InvalidSubmissionError",
    "utils": """
        authenticate_kaggle_api compress create_run_dir extract generate_run_id get_logger get_module_dir get_repo_dir
        get_runs_dir get_timestamp import_fn in_ci is_compressed is_empty load_answers load_yaml purple read_csv
        read_jsonl
    """,
}


@pytest.mark.parametrize("module", NAMES)
def test_every_module_has_the_names_that_clients_import(module):
    found = importlib.import_module(f"mlebench.{module}")
    assert set(NAMES[module].split()) <= set(dir(found))
    assert getattr(mlebench, module) is found  # no function of the package hides a module


def test_every_public_name_can_be_imported():
    assert sorted(set(mlebench.__all__)) == mlebench.__all__
    for name in mlebench.__all__:
        assert getattr(mlebench, name) is not None
        assert name in dir(mlebench)


@pytest.mark.slow("programs")
def test_importing_everything_prints_nothing_needs_no_client_and_leaves_no_file(tmp_path):
    script = """
import sys
import mlebench, mlebench.registry, mlebench.data, mlebench.grade, mlebench.grade_helpers, mlebench.utils
import mlebench.metrics
assert not {"kaggle", "docker", "openai", "tensorflow"} & set(sys.modules)
import logging
assert not logging.getLogger().handlers
"""
    tmp_path.chmod(0o555)
    result = run_python(script, cwd=tmp_path)
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")
    assert not list(tmp_path.iterdir())


@pytest.mark.slow("programs")
def test_a_process_that_grades_has_a_clean_standard_output(ship):
    script = f"""
import json
from pathlib import Path
from mlebench.grade import grade_csv
from mlebench.registry import registry
competition = registry.set_data_dir(Path({str(ship.public_dir.parents[2])!r})).get_competition("spaceship-titanic")
print(json.dumps(grade_csv(competition.sample_submission, competition).to_dict()))
grade_csv(Path("nothing.csv"), competition)
"""
    result = run_python(script)
    assert result.returncode == 0, result.stderr
    assert list(json.loads(result.stdout)) == FIELDS


# mlebench.registry


def test_data_lie_in_the_users_cache_folder_unless_said_otherwise(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert default_data_dir() == tmp_path.resolve() / "mle-bench" / "data"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert default_data_dir() == tmp_path.resolve() / ".cache" / "mle-bench" / "data"
    assert Registry().get_data_dir() == registry.DEFAULT_DATA_DIR
    assert isinstance(registry.registry, Registry)


def test_set_data_dir_gives_a_new_registry(tmp_path):
    old = Registry(data_dir=tmp_path / "old")
    new = old.set_data_dir(tmp_path / "not" / "there")
    assert old.get_data_dir() == (tmp_path / "old").resolve()
    assert new.get_data_dir() == (tmp_path / "not" / "there").resolve()
    assert new.get_competition("spaceship-titanic").raw_dir == new.get_data_dir() / "spaceship-titanic" / "raw"


def test_registry_lists():
    ids = registry.registry.list_competition_ids()
    assert ids == sorted(ids)
    lite = registry.registry.get_lite_competition_ids()
    low = registry.registry.get_splits_dir() / "low.txt"
    assert lite == low.read_text(encoding="utf-8").split()
    assert len(lite) == 22
    assert (registry.registry.get_competitions_dir() / "spaceship_titanic").is_dir()
    with pytest.raises(KeyError):
        registry.registry.get_competition("no-such-competition")


def test_competition_has_the_attributes_that_clients_read_before_any_data_are_there(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    competition = Registry(Path("relative")).get_competition("spaceship-titanic")
    home = tmp_path.resolve() / "relative" / "spaceship-titanic"
    assert competition.id == "spaceship-titanic"
    assert competition.name == "Spaceship Titanic"
    assert competition.description.startswith("# Spaceship Titanic")
    assert isinstance(competition.competition_type, str)
    assert isinstance(competition.grader, Grader)
    assert callable(competition.prepare_fn)
    assert competition.raw_dir == home / "raw"
    assert competition.public_dir == home / "prepared" / "public"
    assert competition.private_dir == home / "prepared" / "private"
    assert competition.answers == home / "prepared" / "private" / "test.csv"
    assert competition.gold_submission == competition.answers
    assert competition.sample_submission == home / "prepared" / "public" / "sample_submission.csv"
    assert competition.leaderboard.is_file()
    assert competition.checksums.is_file()
    with pytest.raises(dataclasses.FrozenInstanceError):
        competition.id = "other"


def test_competition_from_dict(ship):
    values = {field.name: getattr(ship, field.name) for field in dataclasses.fields(ship)}
    assert Competition.from_dict(values) == ship
    for name in ("declaration", "folder", "version", "check", "gold_submission"):
        del values[name]
    bare = Competition.from_dict(values)
    assert bare.gold_submission == ship.answers
    assert grade.grade_csv(ship.sample_submission, bare).score == 0.5
    del values["leaderboard"], values["id"]
    with pytest.raises(ValueError, match="id, leaderboard"):
        Competition.from_dict(values)


# mlebench.data


def test_data_functions_have_the_arguments_that_clients_pass():
    assert parameters(data.is_dataset_prepared) == {
        "competition": inspect.Parameter.empty,
        "grading_only": False,
    }
    assert parameters(data.download_and_prepare_dataset) == {
        "competition": inspect.Parameter.empty,
        "keep_raw": True,
        "overwrite_checksums": False,
        "overwrite_leaderboard": False,
        "skip_verification": False,
    }
    assert list(parameters(data.generate_checksums)) == ["target_dir", "exts", "exclude"]


def test_grading_needs_the_private_folder_only(ship, tmp_path):
    mounted = Registry(tmp_path).get_competition(ship.id)
    assert not data.is_dataset_prepared(mounted)
    shutil.copytree(ship.private_dir, mounted.private_dir)
    assert not data.is_dataset_prepared(mounted)
    assert data.is_dataset_prepared(mounted, grading_only=True)
    assert grade.grade_csv(ship.sample_submission, mounted).score == 0.5
    shutil.copytree(ship.public_dir, mounted.public_dir)
    assert data.is_dataset_prepared(mounted)
    mounted.answers.unlink()
    assert not data.is_dataset_prepared(mounted, grading_only=True)


def test_only_a_competition_can_be_prepared():
    with pytest.raises(AssertionError):
        data.is_dataset_prepared("spaceship-titanic")


def test_leaderboard_comes_as_a_frame_in_the_files_order(ship, tmp_path):
    frame = data.get_leaderboard(ship)
    assert frame["score"].tolist() == list(ship.standings.scores)
    assert data.ensure_leaderboard_exists(ship) == ship.leaderboard
    with pytest.raises(FileNotFoundError):
        data.ensure_leaderboard_exists(dataclasses.replace(ship, leaderboard=tmp_path / "none.csv"))


def test_prepared_folders_can_be_created_empty(registry):
    competition = registry.get_competition("spaceship-titanic")
    data.create_prepared_dir(competition)
    assert competition.public_dir.is_dir()
    assert competition.private_dir.is_dir()
    assert not data.is_dataset_prepared(competition)


# mlebench.grade


@pytest.mark.parametrize("function", [grade.grade_csv, grade.validate_submission])
def test_data_that_are_not_prepared_raise_value_error(function, registry, ship):
    competition = registry.get_competition("spaceship-titanic")
    with pytest.raises(ValueError, match=r"not prepared.*mlebench prepare -c spaceship-titanic"):
        function(ship.sample_submission, competition)


@pytest.mark.parametrize("path", [Path("no/such/file.csv"), Path("None"), "None"])
def test_missing_submission_is_a_report_with_thresholds(path, ship, caplog):
    report = grade.grade_csv(path, ship)
    assert (report.submission_exists, report.valid_submission, report.score) == (False, False, None)
    assert (report.gold_threshold, report.bronze_threshold) == (0.82066, 0.80967)
    assert report.is_lower_better is False
    assert [record.levelname for record in caplog.records] == ["WARNING"]


def test_refused_submission_is_a_report_and_its_reason_is_logged_on_one_line(ship, tmp_path, caplog):
    path = tmp_path / "submission.csv"
    path.write_text("PassengerId\n1\n")
    report = grade.grade_csv(path, ship)
    assert (report.submission_exists, report.valid_submission, report.score) == (True, False, None)
    assert not (report.any_medal or report.above_median)
    assert re.fullmatch(
        r"Invalid submission: Submission is missing the following column 'Transported'.*", caplog.messages[-1]
    )


def test_validation_texts_are_those_that_clients_compare(ship, tmp_path):
    assert grade.validate_submission(ship.sample_submission, ship) == (True, "Submission is valid.")
    path = tmp_path / "none.csv"
    assert grade.validate_submission(path, ship) == (
        False,
        f"Submission invalid! Submission file {path} does not exist.",
    )
    path = tmp_path / "submission.txt"
    path.touch()
    assert grade.validate_submission(path, ship) == (
        False,
        "Submission invalid! Submission file must be a CSV file.",
    )
    path = tmp_path / "submission.csv"
    path.touch()
    valid, message = grade.validate_submission(path, ship)
    head = "Submission invalid! The attempt to grade the submission has resulted in the following error message:\n"
    assert not valid
    assert message.startswith(head + "Submission is missing the following column")


def test_grading_report_file(ship, prepared, tmp_path):
    leaf = prepared("leaf-classification")
    shared = Registry(ship.public_dir.parents[2])
    right, wrong = tmp_path / "right.csv", tmp_path / "wrong.csv"
    shutil.copy(ship.answers, right)
    wrong.write_text("nothing\n")
    lines = [
        json.dumps({"competition_id": ship.id, "submission_path": str(right), "logs_path": "x", "code_path": None}),
        "# a comment",
        "",
        "// another",
        json.dumps({"competition_id": leaf.id, "submission_path": str(wrong)}),
        json.dumps({"competition_id": ship.id, "submission_path": None}),
        json.dumps({"competition_id": ship.id, "submission_path": str(ship.sample_submission)}),
    ]
    (tmp_path / "submission.jsonl").write_text("\n".join(lines))
    for _ in range(2):
        grade.grade_jsonl(tmp_path / "submission.jsonl", tmp_path / "reports", registry=shared)
    files = sorted((tmp_path / "reports").iterdir())
    assert len(files) == 2
    assert re.fullmatch(r"\d{4}(-\d\d){2}T(\d\d-){3}(UTC|GMT)_(.*_)?grading_report\.json", files[0].name)
    report = json.loads(files[0].read_text())
    assert list(report) == TOTALS
    assert [report[name] for name in TOTALS[:-1]] == [4, 3, 2, 1, 1, 0, 0, 1]
    rows = report["competition_reports"]
    assert [row["competition_id"] for row in rows] == [ship.id, leaf.id, ship.id, ship.id]
    assert [row["submission_exists"] for row in rows] == [True, True, False, True]
    assert all(list(row)[:16] == FIELDS for row in rows)


def test_unknown_competition_in_a_list_is_found_before_anything_is_graded(ship, tmp_path):
    (tmp_path / "s.jsonl").write_text('{"competition_id": "spaceship-titanik", "submission_path": null}')
    with pytest.raises(MLEBenchError, match="did you mean"):
        grade.grade_jsonl(tmp_path / "s.jsonl", tmp_path / "reports")
    assert not (tmp_path / "reports").exists()


def test_aggregate_reports_gives_the_content_of_a_report_file(ship):
    reports = [grade.grade_csv(path, ship) for path in (ship.sample_submission, Path("none.csv"))]
    content = grade.aggregate_reports(reports)
    assert list(content) == TOTALS
    assert [content[name] for name in TOTALS[:-1]] == [2, 1, 1, 0, 0, 0, 0, 0]
    assert content["competition_reports"] == [report.to_dict() for report in reports]


# mlebench.grade_helpers


def test_report_round_trips_as_plain_values_in_a_fixed_order(ship):
    report = grade.grade_csv(ship.sample_submission, ship)
    assert [field.name for field in dataclasses.fields(CompetitionReport)] == FIELDS
    values = report.to_dict()
    assert list(values) == FIELDS
    assert {type(value) for value in values.values()} <= {bool, float, str, type(None)}
    assert isinstance(report.created_at, datetime)
    assert CompetitionReport.from_dict(json.loads(json.dumps(values))) == report
    assert CompetitionReport(**{name: getattr(report, name) for name in FIELDS}) == report
    assert all(f"{name}=" in str(report) for name in FIELDS)
    with pytest.raises(dataclasses.FrozenInstanceError):
        report.score = 1.0


def test_grader_rounds_never_raises_and_logs_why(caplog):
    def grader(function) -> Grader:
        return Grader.from_dict({"name": "mine", "grade_fn": function})

    def refuse(submission, answers):
        raise InvalidSubmissionError("no such row")

    assert Grader.from_dict({"name": "root", "grade_fn": "math:hypot"})(3, 4) == 5.0
    assert grader(lambda submission, answers: 0.123456789)(None, None) == 0.12346
    assert "round(score, 5)" in inspect.getsource(Grader.__call__)
    assert grader(refuse)(None, None) is None
    assert caplog.messages[-1] == "Invalid submission: no such row"
    assert grader(lambda submission, answers: 1 / 0)(None, None) is None
    assert caplog.messages[-1] == "Unexpected error during grading: division by zero"
    assert grade_helpers.InvalidSubmissionError is mlebench.InvalidSubmissionError


def test_grader_ranks_scores_on_a_leaderboard():
    grader = Grader.from_dict({"name": "mine", "grade_fn": max})
    up = pd.DataFrame({"score": [9.0, 8.0, 7.0, 6.0, 5.0, 4.0, 3.0, 2.0, 1.0, 0.0]})
    down = up[::-1]
    assert grader.is_lower_better(up) is False
    assert grader.is_lower_better(down) is True
    assert grader.rank_score(8.0, up) == {
        "gold_medal": False,
        "silver_medal": True,
        "bronze_medal": False,
        "above_median": True,
        "gold_threshold": 9.0,
        "silver_threshold": 8.0,
        "bronze_threshold": 6.0,
        "median_threshold": 4.5,
    }
    assert grader.rank_score(0.0, down)["gold_medal"] is True
    nothing = grader.rank_score(None, up)
    assert not any(nothing[name] for name in ("gold_medal", "silver_medal", "bronze_medal", "above_median"))
    assert nothing["gold_threshold"] == 9.0


@pytest.mark.parametrize("score", [math.nan, math.inf, -math.inf])
def test_score_that_is_no_finite_number_is_valid(score, ship, tmp_path):
    leaderboard = tmp_path / "leaderboard.csv"
    leaderboard.write_text("score\n0.1\n0.2\n0.3\n")
    grader = Grader("mine", lambda submission, answers: score)
    competition = dataclasses.replace(ship, grader=grader, declaration=None, leaderboard=leaderboard)
    report = grade.grade_csv(ship.sample_submission, competition)
    assert report.valid_submission
    assert report.is_lower_better is True  # the leaderboard's direction, where there is no metric
    assert report.gold_medal is report.above_median is (score == -math.inf)
    assert math.isnan(report.score) if math.isnan(score) else report.score == score


def test_grade_function_that_raises_fails_without_ending_the_batch(ship, is_one_sentence, caplog):
    def broken(submission, answers):
        raise RuntimeError("a {brace}\nand a second line")

    competition = dataclasses.replace(ship, grader=Grader("mine", broken))
    verdict = grade.judge(ship.sample_submission, competition)
    assert verdict.outcome == "failed"
    assert "RuntimeError in test_surface.py" in verdict.reason
    assert not set("{}\n") & set(verdict.reason)
    assert not grade.grade_csv(ship.sample_submission, competition).valid_submission
    assert caplog.messages[-1].startswith("Unexpected error during grading: ")
    valid, message = grade.validate_submission(ship.sample_submission, competition)
    assert not valid
    assert "a (brace) and" in message


# mlebench.utils


def test_read_csv_of_an_empty_file_is_an_empty_frame_and_a_warning(tmp_path, caplog):
    path = tmp_path / "empty.csv"
    path.touch()
    assert utils.read_csv(path).shape == (0, 0)
    assert [record.levelname for record in caplog.records] == ["WARNING"]
    path.write_text("a\n0.30000000000000004\n")
    assert utils.read_csv(path)["a"].tolist() == [0.1 + 0.2]
    assert utils.read_csv(path, usecols=["a"], dtype=str)["a"].tolist() == ["0.30000000000000004"]


def test_readers_of_answers_and_lines(tmp_path):
    (tmp_path / "a.csv").write_text("a\n1\n")
    (tmp_path / "a.jsonl").write_text('{"a": 1}\n\n# note\n// note\n{"a": 2}')
    assert utils.load_answers(tmp_path / "a.csv")["a"].tolist() == [1]
    assert utils.read_jsonl(tmp_path / "a.jsonl", skip_commented_out_lines=True) == [{"a": 1}, {"a": 2}]
    with pytest.raises(Exception, match="Line 3"):
        utils.read_jsonl(tmp_path / "a.jsonl")
    (tmp_path / "b.jsonl").write_text('{"a": 1}\n')
    assert utils.load_answers(tmp_path / "b.jsonl") == [{"a": 1}]
    with pytest.raises(ValueError, match=r"not 'a\.txt'"):
        utils.load_answers(tmp_path / "a.txt")
    (tmp_path / "a.yaml").write_text("a: [1, 2]")
    assert utils.load_yaml(tmp_path / "a.yaml") == {"a": [1, 2]}


def test_archives_are_packed_and_unpacked(tmp_path):
    folder = tmp_path / "folder"
    (folder / "deep").mkdir(parents=True)
    (folder / "deep" / "a.txt").write_text("a")
    utils.compress(folder, tmp_path / "inner.zip")
    utils.compress(tmp_path / "inner.zip", tmp_path / "outer.zip")
    with pytest.raises(FileExistsError):
        utils.compress(folder, tmp_path / "inner.zip")
    utils.compress(folder, tmp_path / "inner.zip", exist_ok=True)
    utils.extract(tmp_path / "outer.zip", tmp_path / "flat")
    assert [path.name for path in (tmp_path / "flat").iterdir()] == ["inner.zip"]
    utils.extract(tmp_path / "outer.zip", tmp_path / "all", recursive=True)
    assert [path.name for path in (tmp_path / "all").rglob("*") if path.is_file()] == ["a.txt"]
    assert utils.is_compressed(Path("a.zip"))
    assert utils.is_compressed(Path("a.tar.gz"))
    assert not utils.is_compressed(Path("a.csv"))


def test_small_helpers(tmp_path, monkeypatch):
    assert utils.import_fn("math:sqrt")(4) == 2
    assert utils.is_empty(tmp_path)
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    assert utils.in_ci()
    monkeypatch.delenv("GITHUB_ACTIONS")
    assert not utils.in_ci()
    assert "text" in utils.purple("text")
    assert utils.get_module_dir() == SOURCE / "mlebench"
    assert utils.get_module_dir().is_relative_to(utils.get_repo_dir())
    assert utils.get_runs_dir().name == "runs"
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-(UTC|GMT)", utils.get_timestamp())


def test_run_folders_begin_with_the_competition(tmp_path, monkeypatch):
    monkeypatch.setattr(utils, "get_runs_dir", lambda: tmp_path)
    folder = utils.create_run_dir("spaceship-titanic", "agent", "group")
    assert folder.parent == tmp_path / "group"
    assert folder.name.split("_")[0] == "spaceship-titanic"
    assert utils.create_run_dir("spaceship-titanic", "agent").is_dir()
    assert utils.generate_run_id("a-b", "agent").startswith("a-b_")


@pytest.mark.slow("programs")
def test_logger_writes_to_standard_error_with_a_formatter(tmp_path):
    script = f"""
import logging
from pathlib import Path
from mlebench.utils import get_logger
get_logger("mine", filename=Path({str(tmp_path / "log.txt")!r})).info("hello")
assert logging.getLogger().handlers[0].formatter is not None
"""
    result = run_python(script)
    assert (result.returncode, result.stdout) == (0, ""), result.stderr
    assert "hello" in result.stderr
    assert "hello" in (tmp_path / "log.txt").read_text()


@pytest.mark.slow("programs")
def test_kaggle_without_client_or_credentials_is_a_permission_error(tmp_path):
    script = """
from mlebench.utils import authenticate_kaggle_api
try:
    authenticate_kaggle_api()
except PermissionError:
    print("refused")
"""
    environment = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "PYTHONPATH": str(SOURCE)}
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, env=environment)
    assert result.stdout.endswith("refused\n"), result.stderr


def test_logging_is_left_alone_by_grading(ship):
    before = list(logging.getLogger().handlers)
    grade.grade_csv(ship.sample_submission, ship)
    assert logging.getLogger().handlers == before


# What was found by calling everything as clients do


@pytest.mark.slow("programs")
def test_another_copy_of_the_package_works_where_it_comes_first(ship, tmp_path):
    ignored = shutil.ignore_patterns("__pycache__", "rehearsal.zip")
    shutil.copytree(SOURCE / "mlebench", tmp_path / "copy" / "mlebench", ignore=ignored)
    script = f"""
import sys
sys.path.insert(0, {str(tmp_path / "copy")!r})
from pathlib import Path
import mlebench
from mlebench.grade import grade_csv
from mlebench.registry import registry
competition = registry.set_data_dir(Path({str(ship.public_dir.parents[2])!r})).get_competition("spaceship-titanic")
print(mlebench.__file__, competition.leaderboard.is_relative_to(sys.path[0]))
print(grade_csv(competition.sample_submission, competition).score)
"""
    result = run_python(script)
    assert result.stdout.split() == [str(tmp_path / "copy" / "mlebench" / "__init__.py"), "True", "0.5"], result.stderr


def test_a_data_directory_may_be_text(tmp_path):
    bound = Registry(str(tmp_path))
    assert bound.get_data_dir() == tmp_path.resolve()
    assert bound.get_competition("spaceship-titanic").raw_dir == tmp_path.resolve() / "spaceship-titanic" / "raw"


def test_every_competition_answers_before_any_data_are_there(tmp_path):
    bound = Registry(tmp_path)
    for name in bound.list_competition_ids():
        competition = bound.get_competition(name)
        assert isinstance(competition.description, str)
        assert competition.grader.name
        paths = [getattr(competition, field.name) for field in dataclasses.fields(competition)]
        assert all(path.is_absolute() for path in paths if isinstance(path, Path))
        assert competition.gold_submission.is_relative_to(tmp_path)
        ranked = competition.grader.rank_score(None, data.get_leaderboard(competition))
        assert not ranked["gold_medal"]
        assert isinstance(ranked["gold_threshold"], float)
    assert not list(tmp_path.iterdir())


def test_preparing_as_clients_call_it(ship, tmp_path, caplog):
    competition = Registry(tmp_path).get_competition("spaceship-titanic")
    with zipfile.ZipFile(ship.folder / "rehearsal.zip") as archive:
        archive.extractall(competition.raw_dir)
    with pytest.raises(ValueError, match="differ from the files on record"):
        data.download_and_prepare_dataset(competition)
    assert not data.is_dataset_prepared(competition)
    assert not competition.public_dir.exists()
    for keep_raw in (True, True, False):  # doing it again is fine
        data.download_and_prepare_dataset(
            competition=competition,
            keep_raw=keep_raw,
            overwrite_checksums=True,
            overwrite_leaderboard=True,
            skip_verification=True,
        )
        assert data.is_dataset_prepared(competition)
    assert "are not overwritten" in caplog.text
    assert (competition.public_dir / "description.md").read_text() == competition.description
    for path in (competition.public_dir, competition.private_dir):
        shutil.rmtree(path)
    shutil.rmtree(competition.raw_dir)
    with pytest.raises(MLEBenchError, match="no raw data"):
        data.download_and_prepare_dataset(competition)
    folders = [tmp_path / "raw", tmp_path / "public", tmp_path / "private"]
    for folder in folders[1:]:
        folder.mkdir()
    shutil.unpack_archive(ship.folder / "rehearsal.zip", folders[0])
    competition.prepare_fn(raw=folders[0], public=folders[1], private=folders[2])
    assert (folders[2] / "test.csv").read_bytes() == ship.answers.read_bytes()


def test_downloads_and_checksums_as_clients_ask_for_them(ship, tmp_path):
    folder = tmp_path / "deep" / "folder"
    with pytest.raises(MLEBenchError, match=r"[Nn]o Kaggle credentials"):
        data.download_dataset("spaceship-titanic", folder, quiet=True, force=True)
    (folder / "spaceship-titanic.zip").write_bytes(b"zip")
    assert data.download_dataset("spaceship-titanic", folder, quiet=True) == folder / "spaceship-titanic.zip"
    found = data.generate_checksums(ship.public_dir)
    assert found["train.csv"] == data.get_checksum(ship.public_dir / "train.csv")
    assert set(data.generate_checksums(ship.public_dir, exts=["md"])) == {"description.md"}


def test_a_leaderboard_that_is_asked_for_again_is_there(ship, caplog):
    assert data.ensure_leaderboard_exists(ship, force=True) == ship.leaderboard
    assert "not downloaded again" in caplog.text


def test_a_report_of_numpys_values_becomes_plain(ship):
    import numpy as np

    report = grade.grade_csv(ship.sample_submission, ship)
    numbers = {name: np.float64(getattr(report, name)) for name in FIELDS if name.endswith(("score", "threshold"))}
    truths = {name: np.bool_(getattr(report, name)) for name in FIELDS if isinstance(getattr(report, name), bool)}
    values = dataclasses.replace(report, submission_path=Path("a.csv"), **numbers, **truths).to_dict()
    assert {type(value) for value in values.values()} == {bool, float, str}
    assert values == report.to_dict() | {"submission_path": "a.csv"}


def test_a_folder_for_the_report_that_cannot_be_made_is_told_before_grading(ship, tmp_path, monkeypatch):
    monkeypatch.setattr(grade, "judge", None)
    (tmp_path / "file").touch()
    row = {"competition_id": ship.id, "submission_path": str(ship.sample_submission)}
    (tmp_path / "s.jsonl").write_text(json.dumps(row))
    for place in ("no/such", "file"):
        with pytest.raises(MLEBenchError, match="cannot be made"):
            grade.grade_jsonl(tmp_path / "s.jsonl", tmp_path / place, Registry(ship.public_dir.parents[2]))


@pytest.mark.parametrize("form", ["tar", "gztar", "bztar", "xztar", "zip"])
def test_archives_of_all_formats_are_unpacked_and_again(form, tmp_path):
    folder = tmp_path / "folder"
    (folder / "deep").mkdir(parents=True)
    (folder / "deep" / "a.txt").write_text("a")
    archive = Path(shutil.make_archive(str(tmp_path / "x"), form, folder))
    for _ in range(2):  # a preparer may run again on the same raw data
        utils.extract(archive, tmp_path / "out")
        assert {path.name for path in (tmp_path / "out").rglob("*")} == {"deep", "a.txt"}
    content = archive.read_bytes()
    archive.write_bytes(content[: min(len(content) // 2, 1536)])  # most of a small tar is what follows its end
    with pytest.raises(MLEBenchError, match="is damaged"):
        utils.extract(archive, tmp_path / "half")
    assert list((tmp_path / "half").iterdir()) == []


def test_other_archives_beside_the_one_that_is_unpacked_are_left_alone(tmp_path):
    (tmp_path / "a.txt").write_text("a")
    utils.compress(tmp_path / "a.txt", tmp_path / "inner.zip")
    utils.compress(tmp_path / "inner.zip", tmp_path / "outer.zip")
    (tmp_path / "inner.zip").unlink()
    (tmp_path / "a.txt").unlink()
    shutil.copy(tmp_path / "outer.zip", tmp_path / "other.zip")
    utils.extract(tmp_path / "outer.zip", tmp_path, recursive=True)
    assert {path.name for path in tmp_path.iterdir()} == {"a.txt", "outer.zip", "other.zip"}


def test_links_in_a_tar_and_single_gzip_files(tmp_path):
    (tmp_path / "link").symlink_to("/etc/passwd")
    with tarfile.open(tmp_path / "x.tar", "w") as file:
        file.add(tmp_path / "link", "link")
    with pytest.raises(MLEBenchError, match="not a regular file"):
        utils.extract(tmp_path / "x.tar", tmp_path / "out")
    with gzip.open(tmp_path / "a.csv.gz", "wb") as file:
        file.write(b"a\n1\n")
    utils.extract(tmp_path / "a.csv.gz", tmp_path / "out")
    assert (tmp_path / "out" / "a.csv").read_text() == "a\n1\n"
