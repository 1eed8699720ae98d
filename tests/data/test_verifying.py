"""Prepared data are compared with the record and with their manifest: what differs, and what it means."""

import shutil

import pytest
import yaml

from mlebench.data import MANIFEST, Source, generate_checksums, prepare, read_manifest
from mlebench.data.checksums import ChecksumRecord
from mlebench.data.content import content_digest
from mlebench.data.progress import Step
from mlebench.data.verifying import verify_files
from mlebench.errors import ChecksumError, DeclarationError, NotPreparedError
from mlebench.tasks.registry import Registry

from .conftest import TASK, zip_of_pictures

NESTED = TASK.replace(
    "    write_csv(train",
    '    (public / "more").mkdir()\n    write_csv(labels, public / "more" / "all.csv")\n'
    '    from mlebench.preparation import pack\n    pack(public / "x.zip", {"a.txt": b"one"})\n    write_csv(train',
    1,
)


@pytest.fixture
def recorded(declare, tmp_path):
    """A competition with a table in a sub-folder, an archive, and a record of all of them."""
    folder = declare(task=NESTED)
    archive = zip_of_pictures(tmp_path / "pictures.zip")
    first = Registry(tmp_path / "first", (folder,)).get_competition("pictures")
    prepare(first, raw=archive)
    found = {
        "public": generate_checksums(first.public_dir) | {"x.zip": "of another version of zlib"},
        "private": generate_checksums(first.private_dir),
        "content": {"public/x.zip": content_digest(first.public_dir / "x.zip")},
        "zip": "0" * 32,
    }
    (folder / "checksums.yaml").write_text(yaml.safe_dump(found))
    competition = Registry(tmp_path / "data", (folder,)).get_competition("pictures")
    competition.raw_dir.parent.mkdir(parents=True)
    shutil.copy(archive, competition.raw_dir.parent)
    return competition


def record_with(competition, **changes):
    path = competition.checksums
    path.write_text(yaml.safe_dump(yaml.safe_load(path.read_text()) | changes))


def test_real_files_are_recognized_by_bytes_or_content_also_in_sub_folders(recorded, progress):
    files = ChecksumRecord.read(recorded.checksums).files
    assert set(files) >= {
        "public/more/all.csv",
        "public/x.zip",
        "private/test.csv",
    }
    assert prepare(recorded, progress=progress).source is Source.KAGGLE
    assert Step.VERIFY in [step for step, _ in progress.steps]
    assert progress.messages == []
    assert verify_files(recorded, progress).agrees


def test_archives_without_a_record_of_their_content_are_not_compared(recorded, progress):
    record_with(recorded, content={})
    assert prepare(recorded, progress=progress).source is Source.KAGGLE
    assert any(
        "x.zip: has other bytes than the file on record, but they depend on the version" in text
        for text in progress.messages
    )


def test_other_content_is_refused(recorded):
    record_with(recorded, content={"public/x.zip": "0" * 64})
    with pytest.raises(ChecksumError, match=r"public/x\.zip of pictures differ"):
        prepare(recorded)


def test_a_difference_names_the_file_what_differs_and_what_it_means(recorded, progress):
    prepare(recorded)
    answers = recorded.answers
    answers.write_bytes(answers.read_bytes().replace(b"\n", b"\r\n"))
    (recorded.public_dir / "train.csv").write_text("id,label,more\n1,a,2\n")
    (recorded.public_dir / "more" / "all.csv").unlink()
    (recorded.public_dir / "train" / "p1.jpg").unlink()
    found = {difference.path: str(difference) for difference in verify_files(recorded, progress).differences}
    assert (
        "123 bytes, 20 rows, 2 columns (id, label) when it was made and is 20 bytes, 1 row, 3 columns"
        in (found["public/train.csv"])
    )
    assert "scores on these answers are not comparable" in found["private/test.csv"]
    assert found["public/more/all.csv"].startswith("public/more/all.csv: is missing; agents get other data")
    assert "had 35 files when it was made and has 33" in found["public/"]
    (recorded.prepared_dir / MANIFEST).unlink()
    found = {difference.path: str(difference) for difference in verify_files(recorded, progress).differences}
    assert "is not the file on record: only its line ends differ (it has" in found["private/test.csv"]


def test_data_of_another_program_that_agree_with_the_record_are_kept_and_get_a_manifest(recorded, progress):
    prepare(recorded)
    (recorded.prepared_dir / MANIFEST).unlink()
    before = recorded.answers.stat().st_ino
    manifest = prepare(recorded, progress=progress)
    assert manifest.source is Source.KAGGLE
    assert manifest == read_manifest(recorded)
    assert recorded.answers.stat().st_ino == before
    assert [step for step, _ in progress.steps] == [Step.VERIFY]
    assert "it is kept" in progress.messages[-1]


def test_unprepared_data_and_a_malformed_record_are_errors(recorded, progress):
    with pytest.raises(NotPreparedError):
        verify_files(recorded, progress)
    recorded.checksums.write_text("- not\n- a record\n")
    with pytest.raises(DeclarationError, match="cannot be read"):
        prepare(recorded)
