import errno
import os

import pytest

from mlebench.cli.remedies import find_remedy
from mlebench.ground.files import MACHINE_FAILURES


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (errno.ENOSPC, "Free disk space"),
        (errno.EROFS, "another folder"),
        (errno.EMFILE, "ulimit"),
        (errno.EIO, "dmesg"),
        (errno.EISDIR, "Choose another path"),
    ],
)
def test_errors_have_a_remedy(number, words):
    assert words in find_remedy(OSError(number, os.strerror(number)))


@pytest.mark.parametrize("number", sorted(MACHINE_FAILURES))
def test_all_failures_of_the_machine_have_a_remedy(number):
    assert find_remedy(OSError(number, os.strerror(number)))


def test_other_errors_are_bugs():
    assert find_remedy(OSError(errno.EBADF, "bad descriptor")) is None
