import pytest

from mlebench.data import prepare
from mlebench.data.blind import BLIND, blind_view
from mlebench.tasks.registry import Registry

from .conftest import zip_of_pictures


@pytest.fixture
def prepared_pictures(pictures, tmp_path):
    (pictures.folder / "brief_obfuscated.md").write_text("# Images\n")
    prepare(pictures, raw=zip_of_pictures(tmp_path / "pictures.zip"))
    return pictures


def files(folder):
    return {path.relative_to(folder): path for path in folder.rglob("*") if path.is_file()}


def test_the_view_has_the_public_files_without_copies_and_another_description(prepared_pictures):
    public, view = files(prepared_pictures.public_dir), files(blind_view(prepared_pictures))
    assert view.keys() == public.keys()
    assert [str(name) for name in view if not view[name].samefile(public[name])] == ["description.md"]


def test_the_path_names_no_competition_and_differs_between_data_directories(prepared_pictures, tmp_path, declare):
    other = Registry(tmp_path / "other", (declare(),)).get_competition("pictures")
    prepare(other, raw=tmp_path / "pictures.zip")
    one, two = blind_view(prepared_pictures), blind_view(other)
    assert "pictures" not in str(one.relative_to(tmp_path))
    assert one.name != two.name


def test_the_same_data_have_one_view_and_new_data_another(prepared_pictures, tmp_path):
    first = blind_view(prepared_pictures)
    assert blind_view(prepared_pictures) == first
    prepare(prepared_pictures, raw=zip_of_pictures(tmp_path / "more.zip", 33), force=True)
    assert blind_view(prepared_pictures) != first


def test_a_view_that_fails_leaves_nothing(prepared_pictures, tmp_path):
    description = prepared_pictures.public_dir / "description.md"
    description.unlink()
    description.mkdir()
    (description / "one.md").write_text("The brief cannot be written where a folder is.")
    with pytest.raises(IsADirectoryError):
        blind_view(prepared_pictures)
    assert sorted(path.name for path in (tmp_path / "data" / BLIND).iterdir()) == [".lock", "salt"]
