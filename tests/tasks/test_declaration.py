from __future__ import annotations

import pytest
from pydantic import ValidationError

from mlebench.errors import DeclarationError, UnknownNameError
from mlebench.tasks.declaration import Declaration, Revision
from mlebench.tasks.ref import Version
from mlebench.tasks.registry import Registry
from mlebench.tasks.shape import Match


@pytest.mark.parametrize(
    ("old", "new", "where"),
    [
        ("id: spaceship", "id: [spaceship", "is not YAML"),
        ("year: 2022", "year: soon", "year"),
        ("category: Tabular", "kategory: Tabular", "kategory|category"),
        ("values: labels", "values: guesses", r"submission\.values"),
        ("metric: accuracy_score", "metric: {name: x, direction: up, range: [0, 1]}", "metric"),
        ("metric: accuracy_score", "metric: accuracy_score\ncheck_with: public/test.csv", "`check_with` needs `grade`"),
        ("  v2:", "  v1:", "later versions only"),
        ("leaderboard: {fit: close}", "leaderboard: {fit: void}", "a void leaderboard needs `headline: false`"),
        ("leaderboard: {fit: close}", "leaderboard: {fit: perfect}", r"leaderboard\.fit"),
    ],
)
def test_broken_declaration_is_named_with_the_field(old, new, where, own_task):
    folder = own_task()
    declaration = folder / "competition.yaml"
    text = declaration.read_text(encoding="utf-8").replace("id: my-task", "id: spaceship-titanic")
    assert old in text
    declaration.write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(DeclarationError, match=rf"competition\.yaml.*({where})"):
        Registry(folders=(folder,)).list_competition_ids()


def test_unknown_metric_in_a_declaration_is_answered_with_the_nearest(own_task):
    folder = own_task()
    declaration = folder / "competition.yaml"
    declaration.write_text(declaration.read_text(encoding="utf-8").replace("accuracy_score", "acuracy_score"))
    with pytest.raises(UnknownNameError, match="did you mean 'accuracy_score'"):
        Registry(folders=(folder,)).get_competition("my-task")


def test_a_version_changes_only_what_its_revision_names():
    first = Registry().get_declaration("spaceship-titanic")
    assert first.at(Version.V1) is first
    second = first.at(Version.V2)
    changed = {name for name in type(first).model_fields if getattr(first, name) != getattr(second, name)}
    assert changed == {"split", "submission", "sample_score"}
    assert second.submission == first.submission.without_quirks()


def test_a_version_can_take_a_field_away():
    revision = Revision(changes="Own ids.", grade=None, check="other")
    declared = Registry().get_declaration("nomad2018-predict-transparent-conductors")
    second = declared.model_copy(update={"versions": {Version.V2: revision}, "grade": "grade"}).at(Version.V2)
    assert (second.grade, second.check, second.prepare) == (None, "other", declared.prepare)
    assert second.submission.match is Match.IDS


def test_the_leaderboard_may_fit_a_version_better():
    declared = Registry().get_declaration("movie-review-sentiment-analysis-kernels-only")
    fits = [declared.at(version).leaderboard.fit for version in Version]
    assert fits == ["loose", "close"]


def test_a_version_that_a_task_does_not_have_is_unknown():
    with pytest.raises(UnknownNameError, match=r"no version of demo-wine named 'v2'.*v1"):
        Registry().get_declaration("demo-wine").at(Version.V2)


@pytest.mark.parametrize(("direction", "lower_is_better"), [("minimize", True), ("maximize", False)])
def test_a_metric_of_the_task_has_the_declared_direction(direction, lower_is_better):
    declared = Registry().get_declaration("spaceship-titanic").model_dump() | {
        "metric": {"name": "distance", "direction": direction, "range": (0, 1)},
        "grade": "grade",
    }
    metric = Declaration.model_validate(declared).resolved_metric
    assert (metric.name, metric.lower_is_better, metric.range) == ("distance", lower_is_better, (0, 1))


@pytest.mark.parametrize("id", ["", "-a", "a/b", "..", "a@v2", "a b", "a\n"])
def test_an_id_is_of_letters_digits_and_hyphens(id):
    declared = Registry().get_declaration("spaceship-titanic").model_dump()
    with pytest.raises(ValidationError, match="id"):
        Declaration.model_validate(declared | {"id": id})
