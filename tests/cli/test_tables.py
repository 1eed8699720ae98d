from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from mlebench.analysis.summary import summarize
from mlebench.analysis.tables.agents import main_table
from mlebench.analysis.tables.competitions import competition_table

from ..analysis.printing import shown
from ..analysis.records import make_group, make_run, make_verdict, sources_of

if TYPE_CHECKING:
    from mlebench.runs.record import GroupRecord


def test_text_of_unknown_origin_cannot_control_the_terminal() -> None:
    hostile = "[red]\x1b[31m\x9b2J\u202eagent"
    summary = summarize(sources_of(make_group(make_run("a", agent=hostile, verdict=make_verdict("a")))))
    text = shown(main_table(summary)) + shown(competition_table(summary))
    assert "[red]" in text
    assert not set(text) & {"\x1b", "\x9b", "\u202e"}


@pytest.mark.parametrize("groups", [[], [make_group()], [make_group(make_run())]])
def test_nothing_to_show(groups: list[GroupRecord]) -> None:
    summary = summarize(sources_of(*groups))
    assert shown(main_table(summary))
    assert shown(competition_table(summary))
