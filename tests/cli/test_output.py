from __future__ import annotations

import json

import pytest


@pytest.mark.parametrize("args", [("list",), ("show", "leaf-classification"), ("agent", "list"), ("doctor",)])
def test_json_goes_to_standard_output_alone(mlebench, args):
    result = mlebench(*args, "--json")
    assert result.returncode in (0, 3)
    json.loads(result.stdout)


def test_redirected_output_has_no_colours(mlebench):
    for environment in ({"NO_COLOR": "1", "TERM": "xterm-256color"}, {}):
        assert "\x1b" not in mlebench("show", "spaceship-titanic", **environment).stdout
