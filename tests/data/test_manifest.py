"""Manifests of prepared data."""

import dataclasses
import re

import pytest

from mlebench.data import MANIFEST, Source, data_source, is_dataset_prepared, read_manifest, require_prepared
from mlebench.errors import NotPreparedError
from mlebench.tasks.registry import Registry

EARLIER = """\
{"format_version": 1, "competition_id": "pictures", "version": "v1", "source": "kaggle", "rehearsal_sha256": null,
 "description": "brief", "public_files": 2, "private_files": 1, "bytes": 20,
 "tables": {"private/test.csv": {"md5": "00", "bytes": 10, "lines": 2, "columns": ["id", "label"]}},
 "sample_checked": true, "prepared_at": "2026-01-02T03:04:05Z", "mlebench_version": "0.1.0"}
"""


def test_a_manifest_of_an_earlier_version_is_read(pictures):
    pictures.prepared_dir.mkdir(parents=True)
    (pictures.prepared_dir / MANIFEST).write_text(EARLIER)
    manifest = read_manifest(pictures)
    assert (manifest.source, manifest.sample_checked) == (Source.KAGGLE, True)
    assert manifest.tables["private/test.csv"].columns == ("id", "label")


@pytest.mark.parametrize("content", [None, "", "{}", "[]"])
def test_without_a_manifest_the_source_is_unknown(content, pictures):
    pictures.prepared_dir.mkdir(parents=True)
    if content is not None:
        (pictures.prepared_dir / MANIFEST).write_text(content)
    assert read_manifest(pictures) is None
    assert data_source(pictures) is Source.UNKNOWN


def test_unprepared_data_are_an_error_with_the_command_to_run(pictures):
    assert not is_dataset_prepared(pictures)
    data_dir = re.escape(str(pictures.prepared_dir.parents[1]))
    with pytest.raises(NotPreparedError, match=rf"run: mlebench prepare -c pictures --data-dir {data_dir}$"):
        require_prepared(pictures)
    with pytest.raises(NotPreparedError, match=r"run: mlebench prepare -c pictures --rehearsal --data-dir "):
        require_prepared(pictures, rehearsal=True)
    somewhere_else = Registry().get_competition("spaceship-titanic@v2")
    unprepared = dataclasses.replace(somewhere_else, answers=pictures.answers)  # the user may have prepared it
    with pytest.raises(NotPreparedError, match=r"run: mlebench prepare -c spaceship-titanic@v2$"):
        require_prepared(unprepared)
