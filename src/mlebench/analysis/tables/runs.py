"""Tables of all runs, of failed submissions, and of time, tokens and money."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from mlebench.analysis.outcomes import mark_of
from mlebench.analysis.tables.table import Cell, Column, Table, number, text, whole
from mlebench.analysis.tables.titles import title
from mlebench.analysis.wording import format_score, format_time
from mlebench.grading.reports import Outcome

if TYPE_CHECKING:
    from mlebench.analysis.model import RunResult, Summary
    from mlebench.runs.record import UsageRecord

MAX_REASON = 110
"""Characters of a kind of failure."""
_NO_FILE = "There is no submission file"
_VARYING = re.compile(rf"(?<={_NO_FILE}) .*(?=\.)|'[^']*'|\"[^\"]*\"|(?<!\S)/\S*[^\s.,;:)]|[-+]?\d[\d.,_e+-]*")
"""What differs from one submission to the next: the path of a missing file, which may hold blanks, then quoted values,
other paths, and numbers."""

RUN_COLUMNS: tuple[Column[RunResult], ...] = (
    Column("competition", "Competition", lambda run: text(run.competition)),
    Column("agent", "Agent", lambda run: text(run.agent)),
    Column("seed", "Seed", lambda run: whole(run.seed), "right"),
    Column("came_to", "Outcome", lambda run: Cell(mark_of(run).meaning, mark_of(run).name)),
    Column("score", "Score", lambda run: Cell(format_score(run.score), run.score), "right"),
    Column("normalized_score", "Normalised", lambda run: number(run.normalized_score, 3), "right"),
    Column("rank", "Rank", lambda run: whole(run.rank), "right"),
    Column("teams", "Teams", lambda run: whole(run.teams), "right"),
    Column("percentile", "Percentile", lambda run: number(run.percentile), "right"),
    Column("seconds", "Time", lambda run: Cell(format_time(run.seconds), run.seconds), "right"),
    Column("run_group", "Group", lambda run: text(run.run_group)),
)


def run_table(summary: Summary) -> Table[RunResult]:
    """One row per run: its outcome, score and rank."""
    return Table(
        name="runs",
        title=title(summary, "Runs"),
        caption="Percentile: percent of teams that the score is better than or equal to.",
        columns=RUN_COLUMNS,
        rows=summary.all_runs(),
    )


class Failure(NamedTuple):
    """Submissions of an agent that failed for the same reason."""

    agent: str
    outcome: Outcome
    kind: str
    """The reason without what differs from one submission to the next."""
    runs: list[RunResult]


FAILURE_COLUMNS: tuple[Column[Failure], ...] = (
    Column("agent", "Agent", lambda row: text(row.agent)),
    Column("runs", "Runs", lambda row: whole(len(row.runs)), "right"),
    Column("outcome", "Outcome", lambda row: text(row.outcome)),
    Column("reason", "Reason", lambda row: text(row.kind)),
    Column("example", "Example", lambda row: text(row.runs[0].run_id)),
)


def failure_table(summary: Summary) -> Table[Failure]:
    """One row per agent and kind of failure, the most frequent first, with an example."""
    found: dict[tuple[str, Outcome, str], list[RunResult]] = defaultdict(list)
    for run in summary.all_runs():
        if run.finished and run.outcome is not None and run.outcome is not Outcome.GRADED:
            found[run.agent, run.outcome, _kind_of_failure(run)].append(run)
    rows = [Failure(*key, runs) for key, runs in found.items()]
    return Table(
        name="failures",
        title=title(summary, "Submissions without a score"),
        caption="Quoted values are left out of reasons; the example is the first run with that reason.",
        columns=FAILURE_COLUMNS,
        rows=sorted(rows, key=lambda row: (row.agent.casefold(), -len(row.runs), row.kind)),
    )


def _kind_of_failure(run: RunResult) -> str:
    kind = _VARYING.sub("…", run.reason or "No reason is recorded.")
    return kind if len(kind) <= MAX_REASON else f"{kind[:MAX_REASON]}…"


class Usage(NamedTuple):
    """What an agent's finished runs used."""

    agent: str
    runs: list[RunResult]

    @property
    def of_models(self) -> list[UsageRecord]:
        return [run.usage for run in self.runs if run.usage is not None]

    @property
    def hours(self) -> float | None:
        seconds = [run.seconds for run in self.runs if run.seconds is not None]
        return sum(seconds) / 3600 if seconds else None

    @property
    def dollars(self) -> float | None:
        amounts = [usage.money for usage in self.of_models]
        known = [amount for amount in amounts if amount is not None]
        return sum(known) if known and len(known) == len(amounts) else None

    def total(self, name: str) -> int | None:
        """Return the total of a whole number that a gateway counts."""
        return sum(getattr(usage, name) for usage in self.of_models) if self.of_models else None


USAGE_COLUMNS: tuple[Column[Usage], ...] = (
    Column("agent", "Agent", lambda row: text(row.agent)),
    Column("runs", "Runs", lambda row: whole(len(row.runs)), "right"),
    Column("hours", "Hours", lambda row: number(row.hours, 2), "right"),
    Column("requests", "Requests", lambda row: whole(row.total("requests")), "right"),
    Column("input_tokens", "Input tokens", lambda row: whole(row.total("input_tokens")), "right"),
    Column("output_tokens", "Output tokens", lambda row: whole(row.total("output_tokens")), "right"),
    Column("dollars", "US dollars", lambda row: number(row.dollars, 2), "right"),
)


def usage_table(summary: Summary) -> Table[Usage]:
    """One row per agent: time, requests, tokens and money."""
    rows = {agent.agent: Usage(agent.agent, []) for agent in summary.agents}
    for run in summary.all_runs():
        if run.finished:
            rows[run.agent].runs.append(run)
    return Table(
        name="usage",
        title=title(summary, "Time, tokens and money"),
        caption="Totals over finished runs; – if no run used the model gateway, or if a price is unknown.",
        columns=USAGE_COLUMNS,
        rows=list(rows.values()),
    )
