"""The whole page: `render_page`."""

from __future__ import annotations

import math
import re

import pytest

from ..pages import Outline, page_of
from ..records import hostile_group, make_group, make_run, make_scores, make_verdict

ODD_GROUPS = {
    "no groups": [],
    "no runs": [make_group()],
    "not started": [make_group(make_run())],
    "one run": [make_scores({"aide": {"a": [0.6]}})],
    "odd scores": [make_scores({"aide": {"a": [math.nan, math.inf, -math.inf]}})],
    "one team": [make_group(make_run(verdict=make_verdict(teams=1, rank=1)))],
    "two teams": [make_group(make_run(verdict=make_verdict(teams=2, rank=3)))],
    "hostile": [hostile_group()],
    "two groups": [
        make_scores({"aide": {"a": [0.6]}}),
        make_scores({"dummy": {"b": [0.6, 0.99]}}, run_group="second", plan={"network": "open"}),
    ],
}


@pytest.mark.parametrize("name", ODD_GROUPS)
def test_page_is_well_formed_and_self_contained(name: str) -> None:
    text = page_of(*ODD_GROUPS[name])
    outline = Outline(text)
    assert outline.open == []
    assert (outline.count("script"), outline.count("style")) == (1, 1)
    for _, attributes in outline.elements:
        assert not {"src", "srcset", "action", "style", "data", "ping"} & set(attributes)
        assert not any(key.startswith("on") for key in attributes)
        assert (attributes.get("href") or "#").startswith("#")
    assert "url(" not in text
    assert "@import" not in text
    assert "<script>document" not in text
    assert not re.search("[\x1b\u202e]", text)


def test_every_table_has_caption_and_scopes() -> None:
    outline = Outline(page_of(*ODD_GROUPS["two groups"]))
    assert outline.count("table") == outline.count("caption") == 9
    assert all(attributes.get("scope") for tag, attributes in outline.elements if tag == "th")
    ids = [attributes["id"] for _, attributes in outline.elements if "id" in attributes]
    targets = [attributes["href"] for tag, attributes in outline.elements if tag == "a"]
    assert len(ids) == len(set(ids))
    assert {str(target)[1:] for target in targets} <= set(ids)


def test_a_rehearsal_is_marked_beside_the_numbers() -> None:
    text = page_of(make_group(make_run(verdict=make_verdict(data="rehearsal"))))
    for words in ("Rehearsal report", "none counts as a result", "Rehearsal, not a result.", "(rehearsal)"):
        assert words in text


def test_own_files_cannot_end_their_elements() -> None:
    text = page_of()
    assert text.count("</style") == text.count("</script") == 1
    assert "<!--" not in text


def test_long_reasons_are_cut() -> None:
    verdict = make_verdict(score=None, reason="x" * 1_000_000)
    assert len(page_of(make_group(make_run(verdict=verdict)))) < 50_000
