"""A brief holds the lines of each version."""

import pytest

from mlebench.errors import DeclarationError
from mlebench.tasks.briefs import select_version
from mlebench.tasks.ref import Version

BRIEF = """# A task

Rows
<!-- v1 -->
in order
<!-- v2 -->
by id
<!-- end -->
count.
<!-- v2 -->
New.
<!-- end -->
"""


def test_each_version_has_its_lines_and_the_common_ones():
    assert select_version(BRIEF, Version.V1) == "# A task\n\nRows\nin order\ncount.\n"
    assert select_version(BRIEF, Version.V2) == "# A task\n\nRows\nby id\ncount.\nNew.\n"


def test_a_text_without_parts_is_that_of_all_versions():
    assert select_version("a <!-- v1 --> b\r\nc", Version.V2) == "a <!-- v1 --> b\r\nc"


@pytest.mark.parametrize("text", ["<!-- v1 -->\na\n", "a\n<!-- end -->\n", "<!-- v2 -->\n<!-- end -->\n<!-- end -->\n"])
def test_parts_are_opened_and_closed(text):
    with pytest.raises(DeclarationError, match="A brief"):
        select_version(text, Version.V1)
