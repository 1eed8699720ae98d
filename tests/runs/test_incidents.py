import errno
import os

import pytest

from mlebench.errors import SandboxUnavailableError
from mlebench.runs.incidents import Incidents


@pytest.fixture
def told():
    return []


@pytest.fixture
def incidents(told):
    return Incidents("a-run", lambda kind, /, **facts: told.append((kind, facts)))


@pytest.mark.parametrize(
    "error", [IsADirectoryError(errno.EISDIR, "a folder"), KeyError("x"), RecursionError(), ValueError("a\n" * 1000)]
)
def test_an_exception_is_told_and_the_next_step_follows(incidents, told, error):
    for step in ("collecting", "salvaging"):
        with incidents.during(step):
            raise error
    assert [(kind, facts["step"]) for kind, facts in told] == [("incident", "collecting"), ("incident", "salvaging")]
    assert "while collecting" in incidents.summary and "while salvaging" in incidents.summary
    assert "\n" not in incidents.summary and len(incidents.summary) < 1000


@pytest.mark.parametrize(
    "error",
    [OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)), SandboxUnavailableError("no sandbox"), KeyboardInterrupt()],
)
def test_failures_of_the_machine_are_no_incidents(incidents, told, error):
    with pytest.raises(type(error)), incidents.during("collecting"):
        raise error
    assert (told, incidents.summary) == ([], None)
