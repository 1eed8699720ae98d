from __future__ import annotations

import inspect
from dataclasses import dataclass

import pytest

from mlebench.cli.grouping import with_groups


@dataclass(frozen=True)
class Size:
    width: int = 3
    height: int = 4


def draw(*, name: str, size: Size, json: bool = False) -> tuple[str, Size, bool]:
    return name, size, json


def test_the_options_of_a_group_stand_in_its_place():
    parameters = inspect.signature(with_groups(draw)).parameters
    assert list(parameters) == ["name", "width", "height", "json"]
    assert [parameter.default for parameter in parameters.values()] == [inspect.Parameter.empty, 3, 4, False]


@pytest.mark.parametrize("size", [Size(), Size(width=0), Size(7, 8)])
def test_the_command_gets_the_group_as_one_value(size):
    assert with_groups(draw)(name="box", width=size.width, height=size.height, json=True) == ("box", size, True)


def test_a_command_without_groups_stays_as_it_is():
    def plain(name: str = "x") -> str:
        return name

    assert with_groups(plain)(name="y") == "y"
    assert list(inspect.signature(with_groups(plain)).parameters) == ["name"]
