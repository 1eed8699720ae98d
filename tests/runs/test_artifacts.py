from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from mlebench.runs.artifacts import read_artifacts

from ..oddities import ODDITIES

if TYPE_CHECKING:
    from pathlib import Path


def test_links_are_not_followed_and_pipes_not_waited_for(tmp_path: Path) -> None:
    attempt = tmp_path / "attempts" / "1"
    (attempt / "code").mkdir(parents=True)
    secret = tmp_path / "secret"
    secret.write_text("the answers")
    (attempt / "code" / "link.py").symlink_to(secret)
    (attempt / "code" / "folder").symlink_to(tmp_path)
    os.mkfifo(attempt / "code" / "pipe")
    (attempt / "run.log").symlink_to(secret)
    os.mkfifo(attempt / "instructions.txt")
    found = read_artifacts(tmp_path, 1)
    assert (found.code, found.log, found.instructions) == ((), None, None)


@pytest.mark.parametrize("oddity", ODDITIES)
def test_no_kind_of_file_stops_the_reading(oddity: str, tmp_path: Path) -> None:
    attempt = tmp_path / "attempts" / "1"
    for name in ("code/odd.py", "submission/submission.csv", "run.log", "instructions.txt", "events.jsonl"):
        (attempt / name).parent.mkdir(parents=True, exist_ok=True)
        ODDITIES[oddity](attempt / name)
    found = read_artifacts(tmp_path, 1)
    assert (found.log is None) == (found.submission is None) == (found.instructions is None)
    assert len(found.events) <= 1


@pytest.mark.parametrize("content", ["", "{", '{"kind": "run"}\n', '{"time": 3, "kind": []}\n', "[]\n", "\xff\n"])
def test_half_written_events(tmp_path: Path, content: str) -> None:
    attempt = tmp_path / "attempts" / "1"
    attempt.mkdir(parents=True)
    (attempt / "events.jsonl").write_text(content, encoding="latin-1")
    assert len(read_artifacts(tmp_path, 1).events) <= 1
