from __future__ import annotations

import pytest

from mlebench.cli.options import open_registry
from mlebench.errors import MLEBenchError


def test_the_registry_has_the_data_directory_of_the_option(tmp_path):
    assert open_registry(tmp_path, None).get_data_dir() == tmp_path


def test_a_folder_of_competitions_that_does_not_exist_is_an_error(tmp_path):
    with pytest.raises(MLEBenchError, match="nowhere"):
        open_registry(None, [tmp_path / "nowhere"]).list_competition_ids()
