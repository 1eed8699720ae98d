"""Agents get the text of a task that the record names."""

from __future__ import annotations

import json
import shutil

import pytest

from mlebench.runs.texts import description_of, task_text
from mlebench.tasks.registry import Registry


@pytest.fixture
def ours(ship, tmp_path):
    """A copy of prepared data that a test may change."""
    shutil.copytree(ship.prepared_dir, tmp_path / "data" / ship.id / "prepared")
    return Registry(tmp_path / "data").get_competition(ship.id)


def test_without_fetched_pages_the_text_is_our_brief(ours, registry):
    assert description_of(ours, obfuscated=False) == "brief"
    assert task_text(ours, "brief") == ours.brief()
    assert description_of(registry.get_competition("leaf-classification"), obfuscated=False) == "brief"


def test_fetched_pages_are_the_text(ours):
    manifest = ours.prepared_dir / "manifest.json"
    manifest.write_text(json.dumps(json.loads(manifest.read_text()) | {"description": "kaggle"}))
    (ours.public_dir / "description.md").write_text("# Its own pages\n")
    assert description_of(ours, obfuscated=False) == "kaggle"
    assert task_text(ours, "kaggle") == "# Its own pages\n"
    assert description_of(ours, obfuscated=True) == "obfuscated"
    assert task_text(ours, "obfuscated") == ours.brief(obfuscated=True)
