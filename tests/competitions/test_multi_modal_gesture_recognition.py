"""v2 packs the test recordings without their gestures, and takes an empty prediction as the empty list."""

from __future__ import annotations

import io
import tarfile
import zipfile

import pytest

from mlebench.battery.prepared import PreparedTask
from mlebench.grading.reports import Outcome

ID = "multi-modal-gesture-recognition"


@pytest.mark.parametrize(("version", "outcome"), [("v1", Outcome.INVALID), ("v2", Outcome.GRADED)])
@pytest.mark.parametrize("rows", [1, None])
def test_v2_takes_an_empty_cell_as_the_empty_list(version, outcome, rows, prepared, tmp_path):
    task = PreparedTask(prepared(f"{ID}@{version}"), tmp_path / "submission.csv")
    submission = task.gold.astype({"Sequence": object})
    submission.loc[: None if rows is None else rows - 1, "Sequence"] = ""
    verdict, message = task.submit(submission)
    assert verdict.outcome is outcome
    assert message.startswith("Submission is valid") == (outcome is Outcome.GRADED)
    if verdict.score is not None:
        assert 0 < verdict.score <= 1


def test_v2_changes_nothing_else_in_the_recordings(prepared):
    before, after = (members_of(prepared(f"{ID}@{version}")) for version in ("v1", "v2"))
    assert before.keys() == after.keys()
    assert {name for name in before if before[name] != after[name]} == {n for n in before if n.endswith("_data.mat")}


def members_of(competition) -> dict[str, bytes]:
    members = {}
    with tarfile.open(competition.public_dir / "test.tar.gz") as archive:
        for sample in archive.getmembers():
            with zipfile.ZipFile(io.BytesIO(archive.extractfile(sample).read())) as files:
                members |= {f"{sample.name}/{name}": files.read(name) for name in files.namelist()}
    return members
