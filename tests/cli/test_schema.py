from __future__ import annotations

import json

import pytest


@pytest.mark.parametrize("name", ["agent", "alignment", "competition", "group", "manifest", "report", "run", "verdict"])
def test_every_file_format_has_a_schema(mlebench, name):
    assert json.loads(mlebench("schema", name).stdout)["type"] == "object"
