from __future__ import annotations

import pytest

from mlebench.errors import UnknownNameError, UsageError
from mlebench.tasks.registry import Registry
from mlebench.tasks.selection import select_competitions


def test_ids_are_selected_once_in_the_order_given():
    assert select_competitions(Registry(), ["b", "a@v2", "b", "a"]) == ["b", "a@v2", "a"]


def test_a_split_selects_its_competitions():
    registry = Registry()
    assert select_competitions(registry, split="low") == registry.get_split("low")


def test_a_list_may_have_comments_empty_lines_and_repeated_ids(tmp_path):
    path = tmp_path / "list.txt"
    path.write_bytes(b"# ours\r\nb\r\n\r\n  a@v2  \n   \nb\n#c\n")
    assert select_competitions(Registry(), list_file=path) == ["b", "a@v2"]


@pytest.mark.parametrize("given", [{}, {"competitions": ["a"], "split": "low"}, {"competitions": [], "split": ""}])
def test_exactly_one_way_of_selecting_is_needed(given):
    with pytest.raises(UsageError, match="one way"):
        select_competitions(Registry(), **given)


@pytest.mark.parametrize("content", [None, b"\xff\xfe"])
def test_a_list_that_cannot_be_read_is_named(content, tmp_path):
    path = tmp_path / "list.txt"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(UsageError, match=r"list\.txt cannot be read"):
        select_competitions(Registry(), list_file=path)


def test_an_unknown_split_is_answered_with_the_nearest():
    with pytest.raises(UnknownNameError, match="did you mean 'medium'"):
        select_competitions(Registry(), split="mediun")


def test_a_version_holds_for_competitions_that_name_none():
    assert select_competitions(Registry(), ["a", "b@v1", "c@v2"], version="v2") == ["a@v2", "b@v1", "c@v2"]
    low = [f"{id}@v2" for id in Registry().get_split("low")]
    assert select_competitions(Registry(), split="low@v2") == low
    assert select_competitions(Registry(), split="low", version="v2") == low


@pytest.mark.parametrize("given", [{"split": "low@v9"}, {"split": "low", "version": "v9"}])
def test_an_unknown_version_is_named(given):
    with pytest.raises(UnknownNameError, match="no version named 'v9'"):
        select_competitions(Registry(), **given)
