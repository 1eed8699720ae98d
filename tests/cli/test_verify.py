from __future__ import annotations

import json

import pytest

from mlebench.errors import RunError

from ..analysis.records import make_group, make_run


@pytest.fixture
def group(tmp_path):
    """A group with one run, which has not begun."""
    folder = tmp_path / "runs" / "group"
    folder.mkdir(parents=True)
    (folder / "metadata.json").write_text(make_group(make_run()).as_file())
    return folder


def test_a_sound_group_has_a_digest(invoke, group):
    checked = invoke("verify", "group", "--json")
    assert checked.exit_code == 0
    found = json.loads(checked.stdout)
    assert found["findings"] == []
    assert f"digest {found['digest']}\n" in invoke("verify", group).stdout


def test_a_changed_file_is_named_and_there_is_no_digest(invoke, group):
    record = group / "metadata.json"
    record.write_text(record.read_text() + " ")
    checked = invoke("verify", "group")
    assert checked.exit_code == 1
    assert checked.stdout.startswith("metadata.json: It was changed")
    assert json.loads(invoke("verify", "group", "--json").stdout)["digest"] is None


@pytest.mark.parametrize("place", ["nothing", "."])
def test_a_place_without_a_record_is_an_error(invoke, place):
    assert isinstance(invoke("verify", place).exception, RunError)
