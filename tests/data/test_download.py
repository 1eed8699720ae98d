"""Downloads of archives: their record, their progress, and what happens without credentials."""

import pytest

from mlebench.data.download import DownloadRecord, download_archive, is_own_download
from mlebench.data.progress import Step
from mlebench.errors import CredentialsError, RawDataError


class Client:
    """Downloads an archive in two calls of `progress`, the second after a restart."""

    def archive_size(self, competition_id):
        return 10

    def download(self, competition_id, target, progress=None):
        for size in (4, 8, 2, 10):
            progress(size, 10)
        target.write_bytes(bytes(10))
        return target


class NoCredentials(Client):
    def download(self, competition_id, target, progress=None):
        raise CredentialsError("There are no Kaggle credentials.")


def test_a_download_is_recorded_with_the_bytes_of_the_last_call(pictures, progress):
    archive = pictures.raw_dir.parent / "pictures.zip"
    archive.parent.mkdir(parents=True)
    download_archive("pictures", archive, Client(), progress)
    record = DownloadRecord.read(archive.parent)
    assert (record.bytes, record.fetched) == (10, 12)
    assert progress.steps == [(Step.DOWNLOAD, 10)]
    assert is_own_download(pictures)
    archive.write_bytes(bytes(11))
    assert not is_own_download(pictures)


def test_a_record_of_an_earlier_version_is_read(pictures):
    archive = pictures.raw_dir.parent / "pictures.zip"
    archive.parent.mkdir(parents=True)
    archive.write_bytes(bytes(10))
    (archive.parent / ".download.json").write_text(
        '{"archive":"pictures.zip","bytes":10,"seconds":1.5,"fetched":10,"at":"2026-01-02T03:04:05Z"}\n'
    )
    assert is_own_download(pictures)


def test_without_credentials_the_error_names_the_other_sources(tmp_path, progress):
    with pytest.raises(RawDataError, match=r"no Kaggle credentials\. Or pass the zip .*--raw PATH.*--rehearsal"):
        download_archive("pictures", tmp_path / "pictures.zip", NoCredentials(), progress)
