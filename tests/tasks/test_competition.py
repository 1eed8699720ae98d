from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from mlebench import grade
from mlebench.tasks.competition import Competition
from mlebench.tasks.grader import Grader
from mlebench.tasks.registry import Registry


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


def test_each_version_has_a_folder_of_prepared_data_and_shares_the_raw_data(tmp_path):
    registry = Registry(tmp_path)
    first, second = (registry.get_competition(label) for label in ("spaceship-titanic", "spaceship-titanic@v2"))
    assert first.raw_dir == second.raw_dir
    assert [each.prepared_dir.name for each in (first, second)] == ["prepared", "prepared-v2"]
    assert [each.label for each in (first, second)] == ["spaceship-titanic", "spaceship-titanic@v2"]


@pytest.mark.parametrize(("scores", "lower_is_better"), [("0.1\n0.2\n", True), ("0.2\n0.1\n", False), ("1\n", False)])
def test_without_a_metric_the_leaderboard_tells_the_direction(scores, lower_is_better, tmp_path):
    (tmp_path / "leaderboard.csv").write_text(f"score\n{scores}")
    competition = dataclasses.replace(
        Registry().get_competition("spaceship-titanic"),
        grader=Grader("mine", max),
        leaderboard=tmp_path / "leaderboard.csv",
    )
    assert competition.lower_is_better is lower_is_better


def test_the_obfuscated_brief_does_not_name_the_competition():
    competition = Registry().get_competition("spaceship-titanic")
    assert "Spaceship" in competition.brief()
    assert "spaceship" not in competition.brief(obfuscated=True).lower()
    assert dataclasses.replace(competition, folder=None).brief(obfuscated=True) == competition.description
