"""The helpers under the names that programs written for the reference import."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import mlebench
from mlebench import utils

SOURCE = Path(mlebench.__file__).parent.parent


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


def test_other_archives_beside_the_one_that_is_unpacked_are_left_alone(tmp_path):
    (tmp_path / "a.txt").write_text("a")
    utils.compress(tmp_path / "a.txt", tmp_path / "inner.zip")
    utils.compress(tmp_path / "inner.zip", tmp_path / "outer.zip")
    (tmp_path / "inner.zip").unlink()
    (tmp_path / "a.txt").unlink()
    shutil.copy(tmp_path / "outer.zip", tmp_path / "other.zip")
    utils.extract(tmp_path / "outer.zip", tmp_path, recursive=True)
    assert {path.name for path in tmp_path.iterdir()} == {"a.txt", "outer.zip", "other.zip"}


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
    environment = os.environ | {"PYTHONPATH": str(SOURCE)}
    result = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, env=environment, timeout=300
    )
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
