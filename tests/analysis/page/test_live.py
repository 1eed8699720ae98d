from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from mlebench.analysis.live.progress import find_progress
from mlebench.analysis.page.live import MAX_NAMES, render_error, render_live
from mlebench.analysis.summary import summarize

from ..pages import Outline
from ..records import HOSTILE, hostile_group, make_group, make_run, make_scores, running_group, sources_of

if TYPE_CHECKING:
    from mlebench.runs.record import GroupRecord


def page_of(*groups: GroupRecord) -> str:
    sources = sources_of(*groups)
    summary = summarize(sources)
    return render_live(summary, find_progress(summary, sources), {}, "report.html")


@pytest.mark.parametrize(
    ("groups", "words"),
    [
        ([], ("0 of 0", "0 % done", "No run is in progress.")),
        ([running_group()], ("1 of 4 runs done.", "25 % done", "Latest (1)", "Queue (1)")),
        ([make_scores({"aide": {"a": [0.6]}})], ("1 of 1 run done.", "100 % done", "No run is in progress.")),
    ],
)
def test_the_page_counts_what_is_done(groups: list[GroupRecord], words: tuple[str, ...]) -> None:
    text = page_of(*groups)
    assert Outline(text).open == []
    assert [word for word in words if word not in text] == []


@pytest.mark.parametrize(("waiting", "words"), [(60, None), (61, "And 1 more run."), (62, "And 2 more runs.")])
def test_a_long_queue_is_cut(waiting: int, words: str | None) -> None:
    text = page_of(make_group(*(make_run("a", seed=seed) for seed in range(waiting))))
    assert f"Queue ({waiting})" in text
    assert text.count("<bdi>a_aide_seed-") == MAX_NAMES
    assert (words or "") in text
    assert ("more run" in text) is (words is not None)


def test_hostile_texts_are_text() -> None:
    for text in (page_of(hostile_group()), render_error(HOSTILE)):
        outline = Outline(text)
        assert outline.open == []
        assert (outline.count("script"), outline.count("img")) == (1, 0)
        assert not set(text) & {"\x1b", "\u202e"}
