"""Tables for the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mlebench.analysis.marks import MARKS, mark_of
from mlebench.analysis.report import Rate
from mlebench.analysis.wording import NOTHING, estimate_text, extent_text, printable, score_text

if TYPE_CHECKING:
    from rich.table import Table
    from rich.text import Text

    from mlebench.analysis.report import CellSummary, CompetitionSummary, Summary


def main_table(summary: Summary) -> Table:
    """Return the main table: a row an agent, a column a rate."""
    from rich.text import Text

    rehearsal = " (rehearsal: not a result)" if summary.basis == "rehearsal" else ""
    table = _table(
        f"Percent of competitions{rehearsal}",
        "Mean ± standard error over seeds. Gold, silver and bronze exclude each other.",
    )
    table.add_column("Agent", overflow="fold", min_width=16)
    for rate in Rate:
        table.add_column(rate.heading.replace(" ", "\n"), justify="right", vertical="top", no_wrap=True)
    for agent in summary.agents:
        # Two lines a row, so that the seven columns fit into 80 characters.
        table.add_row(
            Text.assemble(printable(agent.agent), "\n", (extent_text(agent), "dim")),
            *("\n± ".join(estimate_text(agent.rates[rate]).split(" ± ")) for rate in Rate),
        )
    return table


def competition_table(summary: Summary) -> Table:
    """Return a row for each competition and agent: score, how each seed came out, thresholds."""
    from rich.text import Text

    shown = {mark_of(run).name for run in summary.all_runs()}
    legend = "  ".join(f"{mark.sign} {mark.meaning}" for mark in MARKS if mark.name in shown)
    table = _table("Competitions", f"Score: mean over seeds, ↑ higher or ↓ lower is better.\n{legend}")
    table.add_column("Competition", overflow="fold", min_width=16)
    table.add_column("Agent", overflow="fold")
    table.add_column("Score", justify="right", no_wrap=True)
    table.add_column("Seeds", no_wrap=True)
    for name in ("Gold", "Silver", "Bronze", "Median"):
        table.add_column(name, justify="right", no_wrap=True)
    for competition in summary.competitions:
        for row, cell in enumerate(competition.cells):
            first, last = row == 0, row == len(competition.cells) - 1
            table.add_row(
                Text(printable(competition.competition)) if first else "",
                Text(printable(cell.agent)),
                _score(competition, cell),
                _marks(cell),
                *(_thresholds(competition) if first else ("",) * 4),
                end_section=last and len(competition.cells) > 1,
            )
    return table


def _table(title: str, caption: str) -> Table:
    from rich import box
    from rich.table import Table

    return Table(
        title=title,
        title_justify="left",
        title_style="bold",
        caption=caption,
        caption_justify="left",
        box=box.SIMPLE_HEAD,
        show_edge=False,
        pad_edge=False,
        collapse_padding=True,
    )


def _score(competition: CompetitionSummary, cell: CellSummary) -> str:
    if competition.lower_is_better is None:
        return NOTHING
    return f"{score_text(cell.score.mean)} {'↓' if competition.lower_is_better else '↑'}"


def _marks(cell: CellSummary) -> Text:
    from rich.text import Text

    marks = [mark_of(run) for run in cell.runs]
    return Text(" ").join(Text(mark.sign, style=mark.style) for mark in marks)


def _thresholds(competition: CompetitionSummary) -> tuple[str, ...]:
    at = competition.thresholds
    if at is None:
        return (NOTHING,) * 4
    return tuple(score_text(score) for score in (at.gold, at.silver, at.bronze, at.median))
