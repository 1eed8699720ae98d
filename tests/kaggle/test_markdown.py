"""HTML pages become Markdown."""

import pytest

from mlebench.kaggle.markdown import demote_headings, to_markdown


@pytest.mark.parametrize(
    ("html", "markdown"),
    [
        ("# Title\n\nNo *tags* here: a < b, x > y", "# Title\n\nNo *tags* here: a < b, x > y"),
        ("<p>a</p><p>b &amp; c</p>", "a\n\nb & c"),
        ("<ul><li>a</li><li>b<ul><li>c</li></ul></li></ul>", "- a\n- b\n  - c"),
        ("<ol><li>a</li><li><p>b</p></li></ol>", "1. a\n2. b"),
        ("<p>x</p><script>alert(1)</script><style>p{}</style>", "x"),
        ("<p><em>a</em> <code>b_c</code></p>", "*a* `b_c`"),
        ("<p><img src='u.png' alt='a leaf'></p>", "![a leaf](u.png)"),
        (
            "<table><thead><tr><th>id</th><th>a|b</th></tr></thead><tbody><tr><td>1</td><td><p>2</p></td></tr></tbody></table>",
            "| id | a\\|b |\n| --- | --- |\n| 1 | 2 |",
        ),
        ("<p>not <closed", "not <closed"),
        ("<unknown>kept</unknown><p>x", "kept\n\nx"),
    ],
)
def test_html_becomes_markdown(html, markdown):
    assert to_markdown(html) == markdown


def test_headings_move_down_but_not_in_code():
    assert demote_headings("# a\n```\n# b\n```\n###### c\n#d", 2) == "### a\n```\n# b\n```\n###### c\n#d"
