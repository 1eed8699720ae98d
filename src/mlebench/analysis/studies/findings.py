"""The results of a study of alignment, as a table and in sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mlebench.analysis.tables.table import Cell, Column, Table, number, text, whole
from mlebench.analysis.wording import format_score
from mlebench.ground.wording import count

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mlebench.analysis.studies.record import Agreement, AlignmentRecord, Pair, Side


def _score(side: Side | None) -> Cell:
    return text(None) if side is None or side.score is None else Cell(format_score(side.score), side.score)


def _percentile(side: Side | None) -> Cell:
    return text(None) if side is None or side.score is None else number(side.percentile)


def _medal(side: Side | None) -> Cell:
    return text(None) if side is None or side.score is None else text(side.medal or "none")


COLUMNS: tuple[Column[Pair], ...] = (
    Column("competition", "Competition", lambda pair: text(pair.competition)),
    Column("solution", "Solution", lambda pair: text(pair.solution)),
    Column("seed", "Seed", lambda pair: whole(pair.seed), "right"),
    Column("score_here", "Score here", lambda pair: _score(pair.here), "right"),
    Column("percentile_here", "Percentile here", lambda pair: _percentile(pair.here), "right"),
    Column("medal_here", "Medal here", lambda pair: _medal(pair.here)),
    Column("score_kaggle", "Score Kaggle", lambda pair: _score(pair.kaggle), "right"),
    Column("percentile_kaggle", "Percentile Kaggle", lambda pair: _percentile(pair.kaggle), "right"),
    Column("medal_kaggle", "Medal Kaggle", lambda pair: _medal(pair.kaggle)),
)


def pair_table(record: AlignmentRecord) -> Table[Pair]:
    """One row per pair: score, percentile and medal on both splits."""
    return Table(
        name="alignment",
        title="Solutions on the split here and on Kaggle's own",
        caption="Percentile: percent of the private leaderboard's teams that the score is better than or equal to.",
        columns=COLUMNS,
        rows=record.pairs,
        is_dense=True,
    )


def describe_findings(record: AlignmentRecord) -> list[str]:
    """Return what is missing and what the pairs together say, one sentence each."""
    return [*_gaps(record), *_conclusions(record.agreement)]


def _gaps(record: AlignmentRecord) -> Iterator[str]:
    waiting = sum(pair.kaggle is None for pair in record.pairs)
    if waiting:
        yield f"{waiting} of {len(record.pairs)} are not graded by Kaggle yet. Repeat the command to continue."
    for pair in record.pairs:
        for where, side in (("here", pair.here), ("on Kaggle", pair.kaggle)):
            if side is not None and side.problem:
                yield f"{pair.run_id} has no score {where}: {side.problem}"


def _conclusions(agreement: Agreement | None) -> Iterator[str]:
    if agreement is None:
        yield "No pair has a score on both sides, so nothing can be compared."
        return
    p = "" if agreement.permutation_p is None else f", p = {agreement.permutation_p:.3f} by permutation"
    yield (
        f"Over {count(agreement.pairs, 'pair')}, percentiles here are {agreement.difference:+.1f} points from Kaggle's"
        f"{_between(agreement.interval, 1)}{p}."
    )
    if agreement.correlation is not None:
        between = _between(agreement.correlation_interval, 2)
        yield f"Their rank correlation is {agreement.correlation:.2f}{between}."
    kappa = "" if agreement.kappa is None else f", weighted kappa {agreement.kappa:.2f}"
    yield (
        f"Medals: {agreement.medals_here} here and {agreement.medals_kaggle} on Kaggle; the same in"
        f" {agreement.same_medal:.0f} % of pairs{kappa}."
    )


def _between(interval: tuple[float, float] | None, digits: int) -> str:
    return "" if interval is None else f" (95 %: {interval[0]:.{digits}f} to {interval[1]:.{digits}f})"
