"""The limits of a run come from a profile and from options that replace parts of it."""

import pytest

from mlebench.runs.options import RunOptions
from mlebench.runs.profiles import get_profile, profile_names
from mlebench.runs.resources import Resources
from mlebench.sandbox.limits import GiB


@pytest.mark.parametrize("name", profile_names())
def test_profiles_are_readable_and_keep_their_names(name):
    assert get_profile(name)[0] == name
    assert Resources.of(RunOptions.of(profile=name)).profile == name


def test_a_changed_profile_says_so():
    changed = Resources.of(RunOptions.of(profile="smoke", time_limit="90s"))
    assert changed.profile == "smoke (changed)"
    assert changed.limits.seconds == 90
    assert changed.limits.memory == 2 * GiB
