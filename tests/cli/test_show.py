from __future__ import annotations

import json

import pytest


def test_a_competition_is_shown_with_thresholds_and_whether_it_is_prepared(invoke):
    shown = invoke("show", "spaceship-titanic")
    assert shown.exit_code == 0, shown.output
    for words in ("accuracy", "gold 0.82", "not prepared", "v1"):
        assert words in shown.stdout


def test_the_fit_of_the_leaderboard_is_shown_with_its_meaning(invoke):
    assert "fit          close: the same metric, data of the same kind\n" in invoke("show", "spaceship-titanic").stdout
    assert "void: medals mean nothing; not in the headline" in invoke("show", "leaf-classification").stdout


def test_a_later_version_is_shown_with_its_own_known_problems(invoke):
    assert "split (v1)" in invoke("show", "spaceship-titanic").stdout
    shown = invoke("show", "spaceship-titanic@v2").stdout
    assert "leaderboard (v1, v2)" in shown
    assert "(v1)" not in shown


def test_prepared_data_are_named_by_their_origin(invoke, ship, data_of):
    shown = invoke("show", ship.id, "--data-dir", data_of(ship), "--json")
    assert json.loads(shown.stdout)["data"] == "rehearsal"


@pytest.mark.parametrize("label", ["spaceship-titanic", "leaf-classification", "demo-wine"])
def test_json_and_text_have_the_same_title(invoke, label):
    title = json.loads(invoke("show", label, "--json").stdout)["title"]
    assert invoke("show", label).stdout.startswith(title)
