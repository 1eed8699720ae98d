from __future__ import annotations

import html.parser
import math
import re
from typing import TYPE_CHECKING

import pytest

from mlebench.analysis.page import render_page
from mlebench.analysis.page.leaderboard import bands, place_on_scale
from mlebench.analysis.page.markup import Html, join, tag
from mlebench.analysis.summary import summarize
from mlebench.grading.reports import Outcome
from mlebench.sandbox.ending import Ending, Reason
from mlebench.tasks.medals import Leaderboard, medal_positions

from .records import make_group, make_run, make_scores, make_verdict, sources_of

if TYPE_CHECKING:
    from mlebench.runs.record import GroupRecord

HOSTILE = "\"'><script>document.title='owned'</script><img src=http://192.0.2.1/x onerror=alert(1)>\u202e\x1b[31m"


def hostile_group() -> GroupRecord:
    """Every text that somebody else may have written is an attack."""
    ending = Ending(reason=Reason.CRASHED, exit_code=1, seconds=1.0, detail=HOSTILE, peak_memory=None)
    verdict = make_verdict(HOSTILE, None, reason=HOSTILE, outcome=Outcome.INVALID)
    run = make_run(HOSTILE, HOSTILE, verdict=verdict, ending=ending)
    return make_group(run, run_group=HOSTILE, machine=HOSTILE, mlebench_version=HOSTILE, guarantees={HOSTILE: False})


def page_of(*groups: GroupRecord) -> str:
    sources = sources_of(*groups)
    return render_page(summarize(sources), sources.groups)


class Outline(html.parser.HTMLParser):
    """The elements of a page, and whether each is closed."""

    void = ("meta", "rect", "line", "circle", "br")

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in self.void:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in self.void:
            assert self.open.pop() == tag

    def count(self, name: str) -> int:
        return sum(tag == name for tag, _ in self.elements)


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


def test_rehearsal_is_said_where_the_numbers_are() -> None:
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


def test_markup_escapes_by_construction() -> None:
    assert tag("b", "<&>", title='"x"', hidden=True, id=None) == '<b title="&quot;x&quot;" hidden>&lt;&amp;&gt;</b>'
    assert tag("p", tag("b", "x"), "<") == "<p><b>x</b>&lt;</p>"
    assert join(["<", Html("<br>"), None], " & ") == "&lt; &amp; <br>"


@pytest.mark.parametrize("teams", [1, 2, 3, 7, 40, 99, 100, 249, 250, 999, 1000, 8000])
def test_bands_agree_with_medals(teams: int) -> None:
    """What stands in a band of the drawing has that medal on a leaderboard without ties."""
    board = Leaderboard(tuple(float(teams - place) for place in range(teams)), lower_is_better=False)
    drawn = list(bands(teams))
    assert sum(width for _, _, width in drawn) == pytest.approx(100)
    for place in {1, 2, teams, *(p + step for p in medal_positions(teams) for step in (0, 1))}:
        if place > teams or teams < 3:
            continue
        at = place_on_scale(place, teams)
        (band,) = (name for name, left, width in drawn if left < at <= left + width)
        score = board.scores[place - 1]
        medal = board.medal(score)
        assert band == (medal or ("above" if board.above_median(score) else "below"))
