"""Every run, what went wrong, and what it cost."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from mlebench.analysis.marks import mark_of
from mlebench.analysis.tables.main import title
from mlebench.analysis.tables.table import Cell, Column, Table, number_cell, text_cell, whole_cell
from mlebench.analysis.wording import duration_text, score_text
from mlebench.grading.reports import Outcome

if TYPE_CHECKING:
    from mlebench.analysis.report import Summary
    from mlebench.analysis.results import RunResult

_VARYING = re.compile(r"'[^']*'|\"[^\"]*\"|[-+]?\d[\d.,_e+-]*")
LONGEST = 110


def run_table(summary: Summary) -> Table:
    """A row a run: what it came to and where that stands."""
    return Table(
        name="runs",
        title=title(summary, "Runs"),
        caption="Percentile: percent of teams that a score is better than or equal to.",
        columns=(
            Column("competition", "Competition"),
            Column("agent", "Agent"),
            Column("seed", "Seed", is_number=True),
            Column("came_to", "Came to"),
            Column("score", "Score", is_number=True),
            Column("normalized_score", "Normalised", is_number=True),
            Column("rank", "Rank", is_number=True),
            Column("teams", "Teams", is_number=True),
            Column("percentile", "Percentile", is_number=True),
            Column("seconds", "Time", is_number=True),
            Column("run_group", "Group"),
        ),
        rows=tuple(
            (
                text_cell(run.competition),
                text_cell(run.agent),
                whole_cell(run.seed),
                Cell(mark_of(run).meaning, mark_of(run).name),
                Cell(score_text(run.score), run.score),
                number_cell(run.normalized_score, 3),
                whole_cell(run.rank),
                whole_cell(run.teams),
                number_cell(run.percentile),
                Cell(duration_text(run.seconds), run.seconds),
                text_cell(run.run_group),
            )
            for run in summary.all_runs()
        ),
    )


def failure_table(summary: Summary) -> Table:
    """A row for each agent and kind of failure, the most frequent first, with an example."""
    found: dict[tuple[str, str, str], list[RunResult]] = {}
    for run in summary.all_runs():
        if run.finished and run.outcome is not Outcome.GRADED and run.outcome is not None:
            found.setdefault((run.agent, run.outcome, _kind(run)), []).append(run)
    rows = sorted(found.items(), key=lambda item: (item[0][0].casefold(), -len(item[1]), item[0][2]))
    return Table(
        name="failures",
        title=title(summary, "Submissions that are not graded"),
        caption="Reasons without what they quote; the example is the first run with that reason.",
        columns=(
            Column("agent", "Agent"),
            Column("runs", "Runs", is_number=True),
            Column("outcome", "Outcome"),
            Column("reason", "Reason"),
            Column("example", "Example"),
        ),
        rows=tuple(
            (text_cell(agent), whole_cell(len(runs)), text_cell(outcome), text_cell(kind), text_cell(runs[0].run_id))
            for (agent, outcome, kind), runs in rows
        ),
    )


def usage_table(summary: Summary) -> Table:
    """A row an agent: time, requests, tokens and money."""
    rows = []
    finished: dict[str, list[RunResult]] = {agent.agent: [] for agent in summary.agents}
    for run in summary.all_runs():
        if run.finished:
            finished[run.agent].append(run)
    for agent, runs in finished.items():
        used = [run.usage for run in runs if run.usage is not None]
        seconds = [run.seconds for run in runs if run.seconds is not None]
        money = [usage.money for usage in used]
        rows.append(
            (
                text_cell(agent),
                whole_cell(len(runs)),
                number_cell(sum(seconds) / 3600 if seconds else None, 2),
                whole_cell(sum(usage.requests for usage in used) if used else None),
                whole_cell(sum(usage.input_tokens for usage in used) if used else None),
                whole_cell(sum(usage.output_tokens for usage in used) if used else None),
                number_cell(sum(sum_ for sum_ in money if sum_ is not None) if used and None not in money else None, 2),
            )
        )
    return Table(
        name="usage",
        title=title(summary, "Time, tokens and money"),
        caption="Totals over finished runs; – where no run asked models through the gateway, or a price is unknown.",
        columns=(
            Column("agent", "Agent"),
            Column("runs", "Runs", is_number=True),
            Column("hours", "Hours", is_number=True),
            Column("requests", "Requests", is_number=True),
            Column("input_tokens", "Input tokens", is_number=True),
            Column("output_tokens", "Output tokens", is_number=True),
            Column("dollars", "US dollars", is_number=True),
        ),
        rows=tuple(rows),
    )


def _kind(run: RunResult) -> str:
    """Return a reason without what differs from one submission to the next."""
    kind = _VARYING.sub("…", run.reason or "No reason is on record.")
    return kind if len(kind) <= LONGEST else f"{kind[:LONGEST]}…"
