from __future__ import annotations

from mlebench.analysis.page.markup import Html, join, tag


def test_markup_escapes_by_construction() -> None:
    assert tag("b", "<&>", title='"x"', hidden=True, id=None) == '<b title="&quot;x&quot;" hidden>&lt;&amp;&gt;</b>'
    assert tag("p", tag("b", "x"), "<") == "<p><b>x</b>&lt;</p>"
    assert join(["<", Html("<br>"), None], " & ") == "&lt; &amp; <br>"
