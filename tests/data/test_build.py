import errno
import os
from dataclasses import replace

import pytest

from mlebench.data.build import build
from mlebench.data.manifest import Manifest, Source
from mlebench.data.progress import Step
from mlebench.data.raw import RawData
from mlebench.errors import DeclarationError, PreparationError, RawDataError
from mlebench.ground.neutral import mark_neutral
from mlebench.tasks.registry import Registry

from .conftest import TASK

PICTURE = b"not a real picture"
FULL = f"OSError({errno.ENOSPC}, {os.strerror(errno.ENOSPC)!r})"


@pytest.fixture
def raw(tmp_path):
    folder = tmp_path / "raw"
    (folder / "images").mkdir(parents=True)
    (folder / "labels.csv").write_text("id,label\n" + "".join(f"p{number},a\n" for number in range(6)))
    for number in range(6):
        (folder / "images" / f"p{number}.jpg").write_bytes(PICTURE)
        mark_neutral(folder / "images" / f"p{number}.jpg")  # as the unpacking of an archive does
    return RawData(folder, Source.UNVERIFIED)


@pytest.fixture
def build_task(declare, raw, progress, tmp_path):
    """A function that builds the data of a preparer and returns the folder and the manifest."""

    def call(task=TASK, description=None, **options):
        competition = Registry(tmp_path / "data", (declare(task=task),)).get_competition("pictures")
        chosen = {"skip_verification": False, "copy_linked": False} | options
        prepared = competition.prepared_dir
        return prepared, build(competition, raw, prepared, description, progress=progress, **chosen)

    return call


def test_the_manifest_counts_what_is_there_and_is_written_last(build_task, raw):
    prepared, manifest = build_task()
    assert Manifest.model_validate_json((prepared / "manifest.json").read_bytes()) == manifest
    assert (manifest.source, manifest.public_files, manifest.private_files) == (Source.UNVERIFIED, 9, 1)
    sizes = [path.stat().st_size for path in prepared.rglob("*") if path.is_file() and path.name != "manifest.json"]
    assert manifest.bytes == sum(sizes)


@pytest.mark.parametrize("copy_linked", [False, True])
def test_pictures_share_their_bytes_with_the_raw_data_unless_copied(build_task, raw, progress, copy_linked):
    prepared, _ = build_task(copy_linked=copy_linked)
    picture = prepared / "public" / "train" / "p1.jpg"
    assert picture.read_bytes() == PICTURE
    assert picture.samefile(raw.folder / "images" / "p1.jpg") is not copy_linked
    assert progress.done.get(Step.COPY, 0) == (6 * len(PICTURE) if copy_linked else 0)


def test_files_of_a_raw_folder_in_another_order_are_copied(build_task, raw, progress):
    for picture in (raw.folder / "images").iterdir():
        picture.touch()
    prepared, _ = build_task()
    picture = prepared / "public" / "train" / "p1.jpg"
    assert picture.read_bytes() == PICTURE
    assert not picture.samefile(raw.folder / "images" / "p1.jpg")
    assert progress.done[Step.COPY] == 6 * len(PICTURE)


@pytest.mark.parametrize(
    ("description", "origin", "text"),
    [(None, "brief", "Name what is on them."), ("The pages.", "kaggle", "The pages.")],
)
def test_the_description_is_the_pages_or_else_the_brief(build_task, description, origin, text):
    prepared, manifest = build_task(description=description)
    assert manifest.description == origin
    assert text in (prepared / "public" / "description.md").read_text()


def test_a_description_linked_to_the_raw_data_leaves_them_unchanged(build_task, raw):
    (raw.folder / "description.md").write_text("of the user")
    build_task(f"{TASK}    (public / 'description.md').hardlink_to(raw / 'description.md')\n")
    assert (raw.folder / "description.md").read_text() == "of the user"


@pytest.mark.parametrize(
    ("body", "error", "words"),
    [
        ("raise KeyError('label')", PreparationError, r"failed \(KeyError: 'label'\); most likely its raw data"),
        (f"raise {FULL}", OSError, os.strerror(errno.ENOSPC)),
        (f"raise RuntimeError('pool') from {FULL}", OSError, os.strerror(errno.ENOSPC)),
        (f"raise ValueError({os.strerror(errno.ENOSPC)!r})", OSError, os.strerror(errno.ENOSPC)),
        ("from mlebench.errors import RawDataError; raise RawDataError('unchanged')", RawDataError, "^unchanged$"),
        ("pass", DeclarationError, r"did not write test\.csv"),
        ("(private / 'test.csv').write_text('id')", DeclarationError, r"did not write sample_submission\.csv"),
    ],
)
def test_a_preparer_that_fails_is_an_error_that_tells_why(build_task, body, error, words):
    with pytest.raises(error, match=words):
        build_task(f"def prepare(raw, public, private):\n    {body}\n")


def test_rehearsal_data_are_not_counted_as_real(build_task, raw, declare, progress, tmp_path):
    competition = Registry(tmp_path / "data", (declare(),)).get_competition("pictures")
    manifest = build(
        competition,
        replace(raw, source=Source.REHEARSAL),
        tmp_path / "prepared",
        None,
        skip_verification=True,
        copy_linked=False,
        progress=progress,
    )
    assert manifest.source is Source.REHEARSAL
