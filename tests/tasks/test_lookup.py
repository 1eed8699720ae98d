from __future__ import annotations

import pytest

from mlebench.errors import UnknownNameError, UsageError
from mlebench.tasks.lookup import get_competition, list_competitions
from mlebench.tasks.ref import TaskRef, Version
from mlebench.tasks.registry import Registry


def test_a_competition_is_named_by_its_id_its_ref_or_itself(tmp_path):
    by_id = get_competition("spaceship-titanic@v2", data_dir=tmp_path)
    by_ref = get_competition(TaskRef("spaceship-titanic", Version.V2), registry=Registry(tmp_path))
    assert by_id.raw_dir == by_ref.raw_dir == tmp_path.resolve() / "spaceship-titanic" / "raw"
    assert by_id.ref == by_ref.ref
    assert get_competition(by_id) is by_id


def test_the_data_directory_replaces_that_of_the_registry(tmp_path):
    found = get_competition("spaceship-titanic", data_dir=tmp_path / "a", registry=Registry(tmp_path / "b"))
    assert found.raw_dir.is_relative_to(tmp_path.resolve() / "a")


def test_a_bound_competition_cannot_be_bound_again(tmp_path):
    with pytest.raises(UsageError, match="without them"):
        get_competition(get_competition("spaceship-titanic"), data_dir=tmp_path)


def test_an_unknown_competition_is_reported_before_an_unknown_version():
    with pytest.raises(UnknownNameError, match="did you mean 'spaceship-titanic'"):
        get_competition("spaceship-titanik@v9")
    with pytest.raises(UnknownNameError, match="version named 'v9'"):
        get_competition("spaceship-titanic@v9")


def test_competitions_are_listed_by_split_or_all(tmp_path):
    assert [found.id for found in list_competitions("lite", data_dir=tmp_path)] == Registry().get_split("low")
    assert {found.label for found in list_competitions("demo@v1")} == set(Registry().get_split("demo"))
    everything = list_competitions(data_dir=tmp_path)
    assert [found.id for found in everything] == Registry().list_competition_ids()
    assert all(found.raw_dir.is_relative_to(tmp_path.resolve()) for found in everything)
    with pytest.raises(UnknownNameError, match="split"):
        list_competitions("lit")
