"""Pages of a competition become a description, with what is different here."""

from __future__ import annotations

import pytest

from mlebench.kaggle import describe
from mlebench.kaggle.description import DIFFERENT, errata
from mlebench.tasks.registry import Registry

LEAF = "leaf-classification"

PAGES = {
    "rules": "<p>One account per person</p>",
    "Evaluation": "<h2>Metric</h2>\n<p>Log loss.</p>\n<pre><code>id,a\n  1,2\n</code></pre>",
    "description": "<p>Which <strong>leaf</strong> is it?<br>See <a href='https://a.b/c'>there</a>.</p>",
    "data-description": "# Files\n\n- train.csv",
}


@pytest.fixture
def leaf():
    return Registry().get_competition(LEAF)


def test_the_description_has_the_pages_in_order_and_then_what_is_different(kaggle, client, leaf):
    kaggle.competitions[LEAF].pages = PAGES
    text = describe(client, leaf)
    headings = [line for line in text.splitlines() if line.startswith("## ")]
    assert headings == ["## Description", "## Evaluation", "## Data", f"## {DIFFERENT}"]
    assert text.startswith(
        "# Leaf Classification\n\n## Description\n\nWhich **leaf** is it?\nSee [there](https://a.b/c)."
    )
    assert "#### Metric" in text and "```\nid,a\n  1,2\n```" in text and "### Files" in text
    assert "One account per person" not in text
    assert "The original statement says that rows are rescaled" in text  # a known problem of its text
    assert "test labels can be looked up" not in text  # one of another kind
    assert "Every id of `test.csv` stands there exactly once" in text  # the brief
    assert "{" not in text.replace("{p_i}", "")


def test_a_competition_without_pages_has_no_description(kaggle, client, leaf):
    kaggle.competitions[LEAF].pages = {"rules": "<p>none</p>", "description": "  "}
    assert describe(client, leaf) is None


def test_errata_of_every_competition_have_the_brief_and_no_leak():
    registry = Registry()
    for name in registry.list_competition_ids():
        competition = registry.get_competition(name)
        text = errata(competition)
        assert len(text) > len(competition.brief())
        for problem in competition.declaration.known_problems:
            if problem.kind != "text":
                assert problem.text not in text
