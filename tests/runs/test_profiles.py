"""Profiles come with the package or from a YAML file of the user."""

import pytest

from mlebench.errors import DeclarationError, UnknownNameError, UsageError
from mlebench.runs.profiles import get_profile


def test_a_profile_comes_from_a_file_of_the_user(tmp_path):
    path = tmp_path / "mine.yaml"
    path.write_text("description: mine\nseconds: 60\ncpus: 1\nmemory_gib: 1\ndisk_gib: 1\n")
    assert get_profile(str(path)) == ("mine", get_profile(str(path))[1])
    path.write_text("description: mine\nseconds: -1\ncpus: 1\nmemory_gib: 1\ndisk_gib: 1\n")
    with pytest.raises(DeclarationError, match="seconds"):
        get_profile(str(path))
    with pytest.raises(UsageError, match="no profile file"):
        get_profile(str(tmp_path / "none.yaml"))
    with pytest.raises(UnknownNameError, match="did you mean 'smoke'"):
        get_profile("smok")
