from __future__ import annotations

import json
import shutil

import pytest

from mlebench.grading.reports import CompetitionReport


@pytest.mark.slow("programs")
def test_prepare_rehearsal_then_grade_the_sample(mlebench, tmp_path):
    data = tmp_path / "data"
    prepared = mlebench("prepare", "--competition", "spaceship-titanic", "--rehearsal", "--data-dir", data, "--json")
    assert prepared.returncode == 0, prepared.stderr
    assert json.loads(prepared.stdout)[0]["source"] == "rehearsal"
    sample = data / "spaceship-titanic" / "prepared" / "public" / "sample_submission.csv"
    result = mlebench("grade-sample", sample, "spaceship-titanic", "--data-dir", data)
    assert result.returncode == 0
    assert "Competition report:" in result.stderr
    report = json.loads(result.stdout)
    fields = list(CompetitionReport.__dataclass_fields__)
    assert list(report)[: len(fields)] == fields
    assert report["valid_submission"] is True
    assert report["data"] == "rehearsal"
    assert report["version"] == "v1"


@pytest.mark.slow("programs")
def test_a_custom_folder_of_competitions_is_found(mlebench, ship, tmp_path):
    own = tmp_path / "own" / "my-task"
    shutil.copytree(ship.folder, own)
    declaration = own / "competition.yaml"
    declaration.write_text(declaration.read_text().replace("id: spaceship-titanic", "id: my-task"))
    result = mlebench("prepare", "-c", "my-task", "--rehearsal", "--folder", tmp_path / "own")
    assert result.returncode == 0, result.stderr
