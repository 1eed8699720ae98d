"""Response headers identify a file on a server."""

import pytest

from mlebench.kaggle.remote_file import RemoteFile, length_of

FILE = RemoteFile(size=10, etag='"one"', modified="Wed, 01 Jan 2020 00:00:00 GMT", md5="AAAA")


def test_headers_of_google_storage_are_read():
    headers = {
        "Content-Length": "10",
        "ETag": '"one"',
        "Last-Modified": "Wed, 01 Jan 2020 00:00:00 GMT",
        "x-goog-hash": "crc32c=BBBB==,md5=AAAA",
    }
    assert RemoteFile.from_headers(headers) == FILE
    assert RemoteFile.from_headers({"Content-MD5": "AAAA"}) == RemoteFile(md5="AAAA")


@pytest.mark.parametrize(
    ("change", "is_same"),
    [
        ({}, True),
        ({"size": 11}, False),
        ({"etag": '"two"'}, False),
        ({"etag": None}, False),
        ({"md5": "BBBB"}, False),
        ({"md5": None}, True),
        ({"modified": None}, True),
    ],
)
def test_size_etag_and_hash_decide_whether_two_files_are_the_same(change, is_same):
    assert FILE.is_same_as(FILE.model_copy(update=change)) is is_same


def test_without_etags_the_date_decides_and_without_both_nothing_is_certain():
    dated = FILE.model_copy(update={"etag": None})
    assert dated.is_same_as(dated)
    assert not dated.is_same_as(dated.model_copy(update={"modified": "Thu, 02 Jan 2020 00:00:00 GMT"}))
    assert not RemoteFile(size=10).is_same_as(RemoteFile(size=10))


def test_a_weak_etag_is_not_sent_as_a_condition():
    assert FILE.if_range == {"If-Range": '"one"'}
    assert FILE.model_copy(update={"etag": 'W/"one"'}).if_range == {"If-Range": FILE.modified}
    assert RemoteFile().if_range == {}


@pytest.mark.parametrize("length", ["", "\xb2", "-1", "1_0", " 1", "9" * 5000])
def test_a_malformed_length_is_unknown(length):
    assert length_of({"Content-Length": length}) is None
    assert RemoteFile.from_headers({"Content-Length": length}).size is None
