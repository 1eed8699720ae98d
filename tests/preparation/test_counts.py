from __future__ import annotations

import pytest

from mlebench.errors import RawDataError
from mlebench.preparation import fixed_count


def test_fixed_count_is_the_tasks_own_unless_the_rehearsal_file_says_otherwise(tmp_path):
    assert fixed_count(tmp_path, "test_size", 5000) == 5000
    (tmp_path / "rehearsal.json").write_text('{"test_size": 7}')
    assert fixed_count(tmp_path, "test_size", 5000) == 7
    assert fixed_count(tmp_path, "lines", 5000) == 5000


@pytest.mark.parametrize(
    "content",
    [
        *("", "{", "7", "\xff", '["test_size"]', '{"test_size": "7"}', '{"test_size": 7.5}', '{"test_size": 0}'),
        *('{"test_size": true}', '{"test_size": null}', '{"test_size": -1}'),
    ],
)
def test_malformed_rehearsal_file_is_refused(content, tmp_path):
    (tmp_path / "rehearsal.json").write_bytes(content.encode("latin-1"))
    with pytest.raises(RawDataError, match=r"rehearsal\.json in the raw data"):
        fixed_count(tmp_path, "test_size", 5000)
