"""Medals and scores over hours, tokens and money, from the graded snapshots of submissions."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from mlebench.analysis import statistics
from mlebench.analysis.model import Curve, Over, Quantity
from mlebench.analysis.standings import find_competition
from mlebench.errors import ReportError
from mlebench.grading.judge import normalized_score
from mlebench.grading.reports import Outcome
from mlebench.runs.reader import read_curve

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from numpy.typing import NDArray

    from mlebench.analysis.evaluation import Evaluation
    from mlebench.analysis.model import AgentSummary, RunKey, RunResult
    from mlebench.runs.record import CurveRecord, UsageRecord
    from mlebench.tasks.registry import Registry

    Values = NDArray[np.float64]

MAX_POINTS = 60
"""Maximal number of steps that the longest run is divided into."""
ROUNDING = 1e-12


@dataclass(frozen=True, slots=True)
class _Track:
    """One run as a step function: when its submission changed, and its result from then on."""

    spent: dict[Over, Values]
    """What was spent at each change; without the units in which it is unknown."""
    had: dict[Quantity, Values]
    """The result before the first change and after each, so one value more than there are changes."""

    def value(self, quantity: Quantity, over: Over, grid: Values) -> Values:
        found: Values = self.had[quantity][np.searchsorted(self.spent[over], grid, side="right")]
        return found


@dataclass(frozen=True, slots=True)
class CurveFiles:
    """The curves of runs, as they are on disk."""

    records: Mapping[RunKey, CurveRecord]
    damages: tuple[str, ...]
    """Why a curve cannot be read, one sentence for each; its run counts as one without snapshots."""


def read_curves(evaluation: Evaluation) -> CurveFiles:
    """Read the curves of all runs that are entered."""
    records, damages = {}, []
    for agent in evaluation.agents:
        for key, run in evaluation.entered_runs(agent).items():
            try:
                record = read_curve(run.folder, run.attempts) if run.folder else None
            except ReportError as error:
                damages.append(str(error))
                continue
            if record is not None:
                records[key] = record
    return CurveFiles(records, tuple(damages))


def find_curves(evaluation: Evaluation, files: CurveFiles) -> Iterator[Curve]:
    """Yield the curves of all agents with a run that has graded snapshots."""
    for agent in evaluation.agents:
        entered = evaluation.entered_runs(agent)
        if not files.records.keys().isdisjoint(entered):
            tracks = {key: _track(run, files.records.get(key), evaluation.registry) for key, run in entered.items()}
            yield from _agent_curves(agent, tracks)


def _agent_curves(agent: AgentSummary, tracks: Mapping[RunKey, _Track]) -> Iterator[Curve]:
    for over in Over:
        if not all(over in track.spent for track in tracks.values()):
            continue
        grid = _grid(max(float(track.spent[over][-1]) for track in tracks.values()))
        for quantity in Quantity:
            if not all(quantity in track.had for track in tracks.values()):
                continue
            seeds = np.zeros((len(agent.seeds_counted), grid.size))
            for key, track in tracks.items():
                seeds[agent.seeds_counted.index(key.seed)] += track.value(quantity, over, grid)
            seeds /= len(agent.competitions)  # a missing run has nothing all the time
            low, high = statistics.t_band(seeds)
            has_band = not np.isnan(low).any()
            yield Curve(
                agent=agent.agent,
                quantity=quantity,
                over=over,
                at=_rounded(grid),
                mean=_rounded(seeds.mean(axis=0)),
                low=_rounded(np.clip(low, 0, quantity.maximum)) if has_band else (),
                high=_rounded(np.clip(high, 0, quantity.maximum)) if has_band else (),
            )


def _track(run: RunResult, record: CurveRecord | None, registry: Registry | None) -> _Track:
    points = record.points if record else ()
    competition = find_competition(run.competition, registry)
    medals = [*(point.medal for point in points), run.medal]
    scores: list[float | None] = [0.0]
    for point in points:
        if point.outcome is not Outcome.GRADED:
            scores.append(0.0)
        else:
            scores.append(normalized_score(point.score, competition) if competition else None)
    scores.append(run.normalized_score if run.valid else 0.0)
    had = {Quantity.ANY_MEDAL: np.array([0.0, *(100.0 * (medal is not None) for medal in medals)])}
    if None not in scores:
        had[Quantity.NORMALIZED_SCORE] = np.nan_to_num(np.clip(np.array(scores, dtype=np.float64), 0, 1))
    spent = {}
    usages = [*(point.usage for point in points), run.usage]
    seconds = [*(point.seconds for point in points), run.seconds or 0.0]
    for over in Over:
        steps = [_spent(over, *step) for step in zip(seconds, usages, strict=True)]
        if None not in steps:
            # The last snapshot may be taken a moment after the recorded end.
            spent[over] = np.maximum.accumulate(np.array(steps, dtype=np.float64))
    return _Track(spent, had)


def _spent(over: Over, seconds: float, usage: UsageRecord | None) -> float | None:
    if over is Over.HOURS:
        return seconds / 3600
    if usage is None:
        return None
    return usage.money if over is Over.DOLLARS else usage.input_tokens + usage.output_tokens


def _grid(end: float) -> Values:
    """Return equal, round steps from 0 to the end or just beyond."""
    if not (end > 0 and math.isfinite(end)):
        return np.zeros(1)
    scale = 10.0 ** math.floor(math.log10(end / MAX_POINTS))
    step = next(scale * factor for factor in (1, 2, 2.5, 5, 10) if end <= scale * factor * MAX_POINTS * (1 + ROUNDING))
    return np.arange(math.ceil(end / step * (1 - ROUNDING)) + 1, dtype=np.float64) * step


def _rounded(values: Values) -> tuple[float, ...]:
    """Return numbers with six digits, since curves are most of a report's size."""
    return tuple(float(f"{value:.6g}") for value in values)
