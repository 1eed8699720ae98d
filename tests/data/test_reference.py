import dataclasses
import logging

import pytest

from mlebench.data import is_dataset_prepared
from mlebench.data.reference import (
    create_prepared_dir,
    download_and_prepare_dataset,
    download_dataset,
    ensure_leaderboard_exists,
    get_leaderboard,
)

from .conftest import zip_of_pictures


def test_options_without_effect_log_a_warning_and_the_data_are_prepared(pictures, caplog):
    zip_of_pictures(pictures.raw_dir.parent / "pictures.zip")
    download_and_prepare_dataset(pictures, keep_raw=False, overwrite_checksums=True, overwrite_leaderboard=True)
    assert is_dataset_prepared(pictures)
    assert not pictures.raw_dir.exists()
    warnings = [record.message for record in caplog.records if record.levelno == logging.WARNING]
    assert "are not overwritten" in warnings[0]


def test_an_archive_that_is_there_is_returned_from_a_path_of_any_type(tmp_path):
    archive = zip_of_pictures(tmp_path / "new" / "pictures.zip")
    assert download_dataset("pictures", str(archive.parent)) == archive


def test_the_folders_of_a_preparer_are_created_and_kept(pictures):
    create_prepared_dir(pictures)
    (pictures.public_dir / "train.csv").write_text("id\n")
    create_prepared_dir(pictures)
    assert (pictures.public_dir / "train.csv").exists()
    assert pictures.private_dir.is_dir()


def test_the_leaderboard_is_read_best_first(pictures):
    assert get_leaderboard(pictures)["score"].tolist() == [0.9, 0.8, 0.7]
    assert ensure_leaderboard_exists(pictures, force=True) == pictures.leaderboard


def test_a_missing_leaderboard_is_an_error_with_its_path(pictures, tmp_path):
    without = dataclasses.replace(pictures, leaderboard=tmp_path / "none.csv")
    with pytest.raises(FileNotFoundError, match=r"no leaderboard for pictures at .*none\.csv"):
        download_and_prepare_dataset(without)
