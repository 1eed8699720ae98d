import zipfile

import pytest

from mlebench.data.manifest import Source
from mlebench.data.options import PrepareOptions
from mlebench.data.raw import RawData, find_raw, rehearsal_digest, remove_user_archives
from mlebench.errors import ArchiveError, RawDataError

from .conftest import zip_of_pictures


@pytest.fixture
def find(pictures, progress, tmp_path):
    """A function that finds the raw data of the pictures; there is no Kaggle."""
    pictures.raw_dir.parent.mkdir(parents=True)

    def find(**options):
        return find_raw(pictures, PrepareOptions(**options), tmp_path / "scratch", None, progress)

    return find


def test_a_folder_of_the_user_is_used_in_place(find, tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "labels.csv").write_text("id,label\n")
    assert find(raw=tmp_path / "mine") == RawData(tmp_path / "mine", Source.UNVERIFIED, is_users=True)


def test_an_archive_of_the_user_is_unpacked_once_until_it_changes(find, pictures, tmp_path):
    archive = zip_of_pictures(tmp_path / "mine.zip", 3)
    first = find(raw=archive)
    assert (first.archive, first.is_users, first.is_real) == (archive, False, True)
    (first.folder / "note").write_text("is still there")
    assert (find(raw=archive).folder / "note").exists()
    zip_of_pictures(archive, 4)
    assert find(raw=archive).folder != first.folder
    home = pictures.raw_dir.parent
    remove_user_archives(home)
    assert list(home.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "error", "words"),
    [
        ("train.CSV", RawDataError, "is not an archive; pass the folder that contains it"),
        ("nothing", RawDataError, "There are no raw data at"),
        ("empty", RawDataError, "There are no raw data at"),
        ("text.zip", ArchiveError, r"text\.zip"),
    ],
)
def test_raw_data_that_are_none_are_refused(find, tmp_path, name, error, words):
    (tmp_path / "empty").mkdir()
    for file in ("train.CSV", "text.zip"):
        (tmp_path / file).write_text("id,label\n")
    with pytest.raises(error, match=words):
        find(raw=tmp_path / name)


def test_what_raw_lacks_of_its_archive_is_unpacked_and_reported(find, pictures, progress):
    archive = zip_of_pictures(pictures.raw_dir.parent / "pictures.zip", 3)
    with zipfile.ZipFile(archive) as file:
        file.extract("labels.csv", pictures.raw_dir)
    assert find() == RawData(pictures.raw_dir, Source.KAGGLE, archive)
    assert len(list(pictures.raw_dir.rglob("*.jpg"))) == 3
    assert "lacks 3 files of pictures.zip" in progress.messages[0]


def test_raw_data_without_an_archive_are_taken_unchanged(find, pictures, progress):
    pictures.raw_dir.mkdir()
    (pictures.raw_dir / "labels.csv").write_text("id,label\n")
    assert find() == RawData(pictures.raw_dir, Source.KAGGLE)
    assert progress.steps == []


def test_without_rehearsal_data_a_rehearsal_is_refused(find, pictures):
    assert rehearsal_digest(pictures) is None
    with pytest.raises(RawDataError, match="pictures has no rehearsal data"):
        find(rehearsal=True)


@pytest.mark.parametrize(
    ("source", "is_real"), [(source, source in (Source.KAGGLE, Source.UNVERIFIED)) for source in Source]
)
def test_only_data_that_may_come_from_kaggle_are_real(tmp_path, source, is_real):
    assert RawData(tmp_path, source).is_real is is_real
