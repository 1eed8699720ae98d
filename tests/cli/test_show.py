from __future__ import annotations

import json

import pytest


def test_a_competition_is_shown_with_thresholds_and_whether_it_is_prepared(invoke):
    shown = invoke("show", "spaceship-titanic")
    assert shown.exit_code == 0, shown.output
    for words in ("accuracy", "gold 0.82", "not prepared", "v1"):
        assert words in shown.stdout


def test_prepared_data_are_named_by_their_origin(invoke, ship, data_of):
    shown = invoke("show", ship.id, "--data-dir", data_of(ship), "--json")
    assert json.loads(shown.stdout)["data"] == "rehearsal"


@pytest.mark.parametrize("label", ["spaceship-titanic", "leaf-classification", "demo-wine"])
def test_json_and_text_have_the_same_title(invoke, label):
    title = json.loads(invoke("show", label, "--json").stdout)["title"]
    assert invoke("show", label).stdout.startswith(title)
