from __future__ import annotations

import pytest

from mlebench.cli.groups import Choice, LimitOptions
from mlebench.errors import MLEBenchError, UsageError
from mlebench.runs.options import RunOptions


@pytest.mark.parametrize(
    ("choice", "expected"),
    [
        (Choice(), False),
        (Choice(competition_id=[]), False),
        (Choice(competition_id=["demo-wine"]), True),
        (Choice(split="demo"), True),
    ],
)
def test_a_choice_knows_whether_it_names_competitions(choice, expected):
    assert choice.names_some is expected


@pytest.mark.parametrize(
    ("choice", "flags"),
    [
        (Choice(split="demo"), {"low": True}),
        (Choice(), {"low": True, "all": True}),
        (Choice(competition_id=["demo-wine"], split="demo"), {}),
        (Choice(competition_id=["demo-wine"]), {"all": True}),
        (Choice(), {}),
    ],
)
def test_competitions_are_selected_in_exactly_one_way(choice, flags):
    with pytest.raises(UsageError):
        choice.ids(**flags)


def test_a_flag_stands_for_the_split_of_its_name():
    assert Choice().ids(low=True) == Choice(split="low").ids(low=False) != []


def test_an_unknown_split_is_an_error():
    with pytest.raises(MLEBenchError, match="did you mean 'high'"):
        Choice(split="hihg").ids()


def test_groups_are_options_of_a_group_of_runs():
    options = RunOptions.of(
        agents=["dummy"], **Choice(competition_id=["demo-wine"]).as_options(), **LimitOptions(memory=2.0).as_options()
    )
    assert options.memory == 2.0
