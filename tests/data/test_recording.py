"""Checksums of real data are recorded, and preparing verifies against them."""

import shutil

import pytest
import yaml

from mlebench.data import Source, prepare, record_checksums
from mlebench.data.content import content_digest
from mlebench.errors import ChecksumError, NotPreparedError, UsageError
from mlebench.tasks.registry import Registry

from .conftest import TASK, zip_of_pictures

PACKED = TASK.replace(
    "    write_csv(train",
    '    from mlebench.preparation import pack\n    pack(public / "x.zip", {"a.txt": b"one"})\n    write_csv(train',
    1,
)


@pytest.fixture
def second(declare, tmp_path):
    """v2 of a competition, with the raw data of the real one in the data directory."""
    folder = declare(task=PACKED, more="versions: {v2: {changes: Nothing.}}\n")
    competition = Registry(tmp_path / "data", (folder,)).get_competition("pictures@v2")
    zip_of_pictures(competition.raw_dir.parent / "pictures.zip")
    return competition


def test_preparing_verifies_against_what_was_recorded(second):
    assert prepare(second).source is Source.KAGGLE
    path = record_checksums(second)
    assert path == second.folder / "checksums_v2.yaml"
    found = yaml.safe_load(path.read_text())
    assert set(found["public"]) == {"sample_submission.csv", "train.csv"}
    assert set(found["private"]) == {"test.csv"}
    assert found["content"] == {"public/x.zip": content_digest(second.public_dir / "x.zip")}
    assert prepare(second, force=True).source is Source.KAGGLE
    found["private"]["test.csv"] = "0" * 32
    path.write_text(yaml.safe_dump(found))
    with pytest.raises(ChecksumError, match=r"private/test\.csv of pictures@v2 differ"):
        prepare(second, force=True)


def test_a_record_goes_into_another_folder_and_is_never_overwritten(second, tmp_path):
    prepare(second)
    path = record_checksums(second, tmp_path / "out")
    assert path == tmp_path / "out" / "checksums_v2.yaml"
    assert not second.checksums.exists()
    with pytest.raises(UsageError, match="There is a record"):
        record_checksums(second, tmp_path / "out")


@pytest.mark.parametrize(("options", "source"), [({"rehearsal": True}, "rehearsal"), ({"raw": True}, "unverified")])
def test_data_that_are_not_known_to_be_real_are_refused(second, options, source):
    archive = second.raw_dir.parent / "pictures.zip"
    shutil.copy(archive, second.folder / "rehearsal.zip")
    prepare(second, **(options if "rehearsal" in options else {"raw": archive}))
    with pytest.raises(UsageError, match=source):
        record_checksums(second)


def test_data_must_be_prepared(second):
    with pytest.raises(NotPreparedError):
        record_checksums(second)
