from pathlib import Path

import pytest

from mlebench.data.options import PrepareOptions
from mlebench.errors import UsageError


@pytest.mark.parametrize("options", [{}, {"raw": Path("x.zip")}, {"rehearsal": True}])
def test_one_source_of_raw_data_is_accepted(options):
    assert PrepareOptions(**options).keep_raw


def test_raw_and_rehearsal_data_exclude_each_other():
    with pytest.raises(UsageError, match="exclude each other; choose one"):
        PrepareOptions(raw=Path("x.zip"), rehearsal=True)
