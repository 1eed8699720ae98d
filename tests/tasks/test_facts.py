from __future__ import annotations

import dataclasses
import json

import pytest

from mlebench.errors import DeclarationError
from mlebench.tasks.facts import describe_competition
from mlebench.tasks.lookup import get_competition


def test_facts_are_those_of_the_version():
    first, second = (describe_competition(label) for label in ("spaceship-titanic", "spaceship-titanic@v2"))
    assert (first.version, second.version) == ("v1", "v2")
    assert list(first.versions) == ["v1", "v2"]
    assert first.standings.thresholds.gold == 0.82066


def test_a_later_version_has_the_known_problems_that_name_it():
    first, second = (describe_competition(label) for label in ("spaceship-titanic", "spaceship-titanic@v2"))
    assert {problem.versions for problem in first.known_problems} > {
        problem.versions for problem in second.known_problems
    }
    assert all("v2" in problem.versions for problem in second.known_problems)


def test_facts_say_how_well_the_leaderboard_of_the_version_fits():
    id = "movie-review-sentiment-analysis-kernels-only"
    assert [describe_competition(label).as_json()["comparison"]["fit"] for label in (id, f"{id}@v2")] == [
        "loose",
        "close",
    ]


def test_facts_are_plain_values_for_json():
    facts = describe_competition("leaf-classification").as_json()
    assert json.loads(json.dumps(facts)) == facts
    assert facts["direction"] == "lower is better"
    assert facts["submission_form"] == "id; all other columns of the sample (distribution)"


def test_a_competition_without_a_declaration_has_no_facts():
    bare = dataclasses.replace(get_competition("spaceship-titanic"), declaration=None)
    with pytest.raises(DeclarationError, match="no declaration"):
        describe_competition(bare)
