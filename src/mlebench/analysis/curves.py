"""Medals and scores over hours, tokens and money, from the submissions that agents had in place on their way."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

import numpy as np
from pydantic import BaseModel, ConfigDict, ValidationError

from mlebench.analysis import statistics
from mlebench.analysis.counting import entered_runs
from mlebench.analysis.standings import find_competition
from mlebench.errors import ReportError
from mlebench.grading.judge import normalized_score
from mlebench.grading.reports import Outcome
from mlebench.runs.curve import CURVE
from mlebench.runs.record import CurveRecord

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from mlebench.analysis.agent_summary import AgentSummary
    from mlebench.analysis.counting import Counting
    from mlebench.analysis.results import RunResult
    from mlebench.runs.record import UsageRecord
    from mlebench.tasks.registry import Registry

    Values = NDArray[np.float64]

POINTS = 60
"""Steps that the longest run is divided into, at most."""


class Over(StrEnum):
    """What a run spends."""

    HOURS = "hours"
    TOKENS = "tokens"
    """Of input and output."""
    DOLLARS = "dollars"


class Quantity(StrEnum):
    """What it has by then."""

    ANY_MEDAL = "any_medal"
    """Percent of competitions."""
    NORMALIZED_SCORE = "normalized_score"
    """0 at the sample submission and 1 at the gold threshold, cut to that; 0 without a valid submission."""

    @property
    def most(self) -> float:
        return 100.0 if self is Quantity.ANY_MEDAL else 1.0


class Curve(BaseModel):
    """What an agent's runs have on average once each has spent so much; the runs are those of the main table.

    A run has what its last submission was worth, nothing before the first, and keeps what it ended with: the last point
    is the number in the main table. An agent that replaces a good submission by a worse one makes the curve fall.
    """

    model_config = ConfigDict(frozen=True)

    agent: str
    quantity: Quantity
    over: Over
    at: tuple[float, ...]
    """From 0, in equal steps."""
    mean: tuple[float, ...]
    """Over competitions and seeds."""
    low: tuple[float, ...] = ()
    """Student's t interval of 95 % over seeds; empty for fewer than two."""
    high: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class _Track:
    """One run: where its submission changed, and what it had from there on."""

    spent: dict[Over, Values]
    """By the time of each change, without what is unknown."""
    had: dict[Quantity, Values]
    """Before the first change and after each."""

    def value(self, quantity: Quantity, over: Over, grid: Values) -> Values:
        found: Values = self.had[quantity][np.searchsorted(self.spent[over], grid, side="right")]
        return found


def read_curve(run: RunResult) -> CurveRecord | None:
    """Read the `curve.json` of the attempt that counts; None if the run has none.

    Raises
    ------
    ReportError
        If it cannot be read.
    """
    if run.folder is None:
        return None
    path = run.folder / "attempts" / str(run.attempts) / CURVE
    try:
        return CurveRecord.model_validate_json(path.read_bytes())
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise ReportError(f"The file {path} cannot be read ({error.strerror}); make it readable.") from error
    except ValidationError as error:
        what = error.errors(include_url=False, include_context=False)[0]["msg"]
        raise ReportError(
            f"The file {path} is damaged or from another version ({what}); restore it, or remove it to do without the"
            " run's curve."
        ) from error


def find_curves(
    runs: Mapping[str, Sequence[RunResult]],
    agents: Sequence[AgentSummary],
    counting: Counting,
    registry: Registry | None,
) -> Iterator[Curve]:
    """Yield the curves of agents of whose submissions on the way something is known; `runs` are those of each agent."""
    for agent in agents:
        entered = entered_runs(runs[agent.agent], agent, counting)
        records = {place: read_curve(run) for place, run in entered.items()}
        if any(records.values()):
            tracks = {place: _track(run, records[place], registry) for place, run in entered.items()}
            yield from _of_agent(agent, tracks)


def _of_agent(agent: AgentSummary, tracks: Mapping[tuple[str, int], _Track]) -> Iterator[Curve]:
    for over in Over:
        if not all(over in track.spent for track in tracks.values()):
            continue
        grid = _grid(max(float(track.spent[over][-1]) for track in tracks.values()))
        for quantity in Quantity:
            if not all(quantity in track.had for track in tracks.values()):
                continue
            seeds = np.zeros((len(agent.seeds_counted), grid.size))
            for (_, seed), track in tracks.items():
                seeds[agent.seeds_counted.index(seed)] += track.value(quantity, over, grid)
            seeds /= len(agent.competitions)  # a run that is missing has nothing all the way
            low, high = statistics.t_band(seeds)
            several = not np.isnan(low).any()
            yield Curve(
                agent=agent.agent,
                quantity=quantity,
                over=over,
                at=_numbers(grid),
                mean=_numbers(seeds.mean(axis=0)),
                low=_numbers(np.clip(low, 0, quantity.most)) if several else (),
                high=_numbers(np.clip(high, 0, quantity.most)) if several else (),
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
        steps = [_spent(over, *at) for at in zip(seconds, usages, strict=True)]
        if None not in steps:
            # The last look at a submission may come a moment after the end that is on record.
            spent[over] = np.maximum.accumulate(np.array(steps, dtype=np.float64))
    return _Track(spent, had)


def _spent(over: Over, seconds: float, usage: UsageRecord | None) -> float | None:
    if over is Over.HOURS:
        return seconds / 3600
    if usage is None:
        return None
    return usage.money if over is Over.DOLLARS else usage.input_tokens + usage.output_tokens


def _grid(end: float) -> Values:
    """Return equal steps from 0 to the end or just beyond it, as long as a person would make them."""
    if not (end > 0 and math.isfinite(end)):
        return np.zeros(1)
    scale = 10.0 ** math.floor(math.log10(end / POINTS))
    step = next(scale * factor for factor in (1, 2, 2.5, 5, 10) if end <= scale * factor * POINTS * (1 + 1e-12))
    return np.arange(math.ceil(end / step * (1 - 1e-12)) + 1, dtype=np.float64) * step


def _numbers(values: Values) -> tuple[float, ...]:
    """Return numbers with as many digits as anybody reads: they fill most of a report."""
    return tuple(float(f"{value:.6g}") for value in values)
