"""The names, defaults, texts and files that programs written for MLE-bench rely on."""

from __future__ import annotations

import dataclasses
import importlib
import inspect
import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pandas as pd
import pytest

import mlebench
from mlebench import data, grade, grade_helpers, registry
from mlebench.errors import MLEBenchError
from mlebench.grade_helpers import Grader, InvalidSubmissionError
from mlebench.registry import Registry
from mlebench.tasks.registry import default_data_dir

from .grading.fields import FIELDS, TOTALS

SOURCE = Path(mlebench.__file__).parent.parent


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


# mlebench.grade_helpers


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


def test_a_folder_for_the_report_that_cannot_be_made_is_told_before_grading(ship, tmp_path, monkeypatch):
    monkeypatch.setattr(grade, "judge", None)
    (tmp_path / "file").touch()
    row = {"competition_id": ship.id, "submission_path": str(ship.sample_submission)}
    (tmp_path / "s.jsonl").write_text(json.dumps(row))
    for place in ("no/such", "file"):
        with pytest.raises(MLEBenchError, match="cannot be made"):
            grade.grade_jsonl(tmp_path / "s.jsonl", tmp_path / place, Registry(ship.public_dir.parents[2]))
