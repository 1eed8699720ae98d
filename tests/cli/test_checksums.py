from __future__ import annotations

import json
import shutil

import pytest

from mlebench.data import prepare
from mlebench.tasks.registry import Registry

from ..data.conftest import DECLARATION, TASK, zip_of_pictures


@pytest.fixture
def own(tmp_path):
    folder = tmp_path / "own" / "pictures"
    folder.mkdir(parents=True)
    declaration = DECLARATION.format(id="pictures") + "versions: {v2: {changes: Nothing.}}\n"
    (folder / "competition.yaml").write_text(declaration)
    (folder / "task.py").write_text(TASK)
    (folder / "brief.md").write_text("# Pictures\n")
    (folder / "leaderboard.csv").write_text("score\n0.9\n0.8\n0.7\n")
    return folder


def test_checksums_of_real_data_are_written_and_rehearsal_data_are_refused(mlebench, own, tmp_path):
    competition = Registry(tmp_path / "data", (own,)).get_competition("pictures@v2")
    archive = zip_of_pictures(competition.raw_dir.parent / "pictures.zip")
    prepare(competition)
    command = ("dev", "checksums", "pictures@v2", "--folder", own, "--data-dir", tmp_path / "data", "--out", "out")
    done = mlebench(*command, "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == {"pictures@v2": "out/pictures/checksums_v2.yaml"}
    assert "test.csv:" in (tmp_path / "out" / "pictures" / "checksums_v2.yaml").read_text()
    shutil.copy(archive, own / "rehearsal.zip")
    prepare(competition, rehearsal=True, force=True)
    refused = mlebench(*command)
    assert refused.returncode == 2
    assert "rehearsal" in refused.stderr
