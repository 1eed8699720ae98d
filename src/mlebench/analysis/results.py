"""One flat result a run, over all groups: what statistics, tables and pages are made from."""

from __future__ import annotations

import dataclasses
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import BaseModel, ConfigDict, Field

from mlebench.errors import UsageError
from mlebench.grading.reports import Outcome
from mlebench.runs.record import GroupRecord, RunRecord, Status, UsageRecord
from mlebench.sandbox.ending import Reason
from mlebench.tasks.medals import Medal

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from mlebench.analysis.gradings import GradedRow, GradingReport

REHEARSAL = "rehearsal"
"""What a verdict calls data that are synthetic."""

_NOT_MADE = {Reason.STOPPED, Reason.HARNESS}


class RunResult(BaseModel):
    """What one run came to."""

    model_config = ConfigDict(frozen=True)

    run_group: str
    """The group, or the grading report that the run stands in."""
    run_id: str
    agent: str
    competition: str
    """Id of the competition, with `@v2` and so on for versions after the first."""
    seed: int
    status: Status
    finished: bool
    """Whether the run was made and graded; everything about the verdict is empty otherwise."""
    outcome: Outcome | None = None
    reason: str | None = None
    """Why the submission is not graded, or where an unfinished run stands."""
    score: float | None = None
    """JSON has no word for NaN and infinity: such scores are null there, with the outcome `graded`."""
    medal: Medal | None = None
    above_median: bool = False
    rank: int | None = None
    teams: int | None = None
    percentile: float | None = None
    normalized_score: float | None = None
    data: str | None = None
    ending: Reason | None = None
    ending_detail: str = ""
    seconds: float | None = None
    attempts: int = 0
    usage: UsageRecord | None = None
    """What it used of models; None without a model gateway."""
    folder: Path | None = Field(default=None, exclude=True)
    """Where the run lies on this machine; for a report's row, and in `report.json`, nowhere."""

    @property
    def is_rehearsal(self) -> bool:
        """Whether the run was made on synthetic data, and so never counts as a result."""
        return self.data == REHEARSAL

    @property
    def submitted(self) -> bool:
        return self.finished and self.outcome is not Outcome.MISSING

    @property
    def valid(self) -> bool:
        return self.finished and self.outcome is Outcome.GRADED


def competition_label(competition_id: str, version: str) -> str:
    """Return how a version of a competition is called in run ids and reports."""
    return competition_id if version == "v1" else f"{competition_id}@{version}"


def collect_runs(
    groups: Sequence[GroupRecord],
    gradings: Sequence[GradingReport] = (),
    *,
    group_by: str | None = None,
    folders: Sequence[Path] = (),
) -> list[RunResult]:
    """Return the results of all runs, those that were planned and never started included.

    Runs of one agent in several groups are taken together by their seeds. Where the same agent, competition
    and seed was run twice, the later group is a repetition, and its seeds are numbered on after the earlier.
    Grading reports know no seeds: the n-th time that a competition occurs in an agent's reports is its seed n.

    With `group_by`, a field of a group's or a run's record such as `plan.profile`, runs of an agent that differ in it
    are taken for those of different agents, and called by agent and value. `folders` are those of the groups, where
    they are known.
    """
    collected: list[RunResult] = []
    taken = _Taken()
    places = dict(zip(map(id, groups), folders, strict=False))
    for group in sorted(groups, key=lambda group: group.created_at):
        place = places.get(id(group))
        runs = [_result(group, run, group_by, _below(place, run.run_id)) for run in group.runs.values()]
        if group_by is None:
            runs += _never_recorded(group, runs)
        collected += taken.numbered_on(runs)
    by_agent: dict[str, list[RunResult]] = {}
    for grading in gradings:
        runs = by_agent.setdefault(grading.agent, [])
        made = Counter(run.competition for run in runs)
        for row in grading.rows:
            name = competition_label(row.competition_id, row.version)
            runs.append(_reported(grading, row, name, made[name]))
            made[name] += 1
    for runs in by_agent.values():
        collected += taken.numbered_on(runs)
    return collected


def _below(folder: Path | None, name: str) -> Path | None:
    """Return a folder directly below another one, or None for a name that leads elsewhere."""
    return None if folder is None or name in ("", ".", "..") or Path(name).name != name else folder / name


def _result(group: GroupRecord, run: RunRecord, group_by: str | None, folder: Path | None) -> RunResult:
    ending, verdict = run.ending, run.verdict
    finished = run.status is Status.GRADED and verdict is not None and (not ending or ending.reason not in _NOT_MADE)
    result = RunResult(
        run_group=group.run_group,
        run_id=run.run_id,
        agent=f"{run.agent} · {_field(group, run, group_by)}" if group_by else run.agent,
        competition=competition_label(run.competition_id, run.version),
        seed=run.seed,
        status=run.status,
        finished=finished,
        reason=None if finished else _standing(run),
        ending=ending.reason if ending else None,
        ending_detail=ending.detail if ending else "",
        seconds=ending.seconds if ending else None,
        attempts=run.attempt,
        usage=run.usage,
        folder=folder,
    )
    if not finished or verdict is None:
        return result
    return result.model_copy(update={name: getattr(verdict, name) for name in _FROM_VERDICT})


_FROM_VERDICT = (
    *("outcome", "reason", "score", "medal", "above_median", "rank", "teams", "percentile"),
    *("normalized_score", "data"),
)


def _field(group: GroupRecord, run: RunRecord, path: str) -> str:
    """Return the value of a field of the run's record, of its group's, or of its group's plan."""
    for start in (run, group, group.plan):
        found: object = start
        for name in path.split("."):
            if isinstance(found, dict) and name in found:
                found = found[name]
            elif name in _field_names(found):
                found = getattr(found, name)
            elif found is not None or start is found:
                break
        else:
            return "none" if found is None else f"{found:g}" if isinstance(found, float) else str(found)
    raise UsageError(
        f"There is no field {path!r} to group by in the records of runs; name one of run.json or of metadata.json,"
        " such as profile, sandbox, machine, limits.seconds or usage.requests."
    )


def _reported(grading: GradingReport, row: GradedRow, competition: str, seed: int) -> RunResult:
    return RunResult(
        run_group=grading.name,
        run_id=f"{competition}_{grading.agent}_seed-{seed}",
        agent=grading.agent,
        competition=competition,
        seed=seed,
        status=Status.GRADED,
        finished=True,
        outcome=row.came_to,
        reason=row.reason,
        score=row.score if row.came_to is Outcome.GRADED else None,
        medal=row.medal,
        above_median=row.above_median,
        rank=row.rank,
        teams=row.teams,
        percentile=row.percentile,
        normalized_score=row.normalized_score,
        data=row.data,
    )


def _standing(run: RunRecord) -> str:
    if run.ending and run.ending.reason is Reason.STOPPED:
        return "The run was stopped and counts as not made."
    if run.ending and run.ending.reason is Reason.HARNESS:
        return "The sandbox failed, which is no fault of the agent; the run counts as not made."
    return {
        Status.PLANNED: "The run has not started.",
        Status.RUNNING: "The run is going on, or its harness was killed.",
        Status.ENDED: "The run has ended and is not graded yet.",
        Status.GRADED: "The run is marked as graded and has no verdict.",
    }[run.status]


def _never_recorded(group: GroupRecord, runs: list[RunResult]) -> Iterator[RunResult]:
    plan = group.plan
    if len(runs) >= len(plan.agents) * len(plan.competitions) * plan.seeds:
        return
    recorded = {(run.competition, run.agent, run.seed) for run in runs}
    for name in plan.competitions:
        competition = name.removesuffix("@v1")
        for agent in plan.agents:
            for seed in range(plan.seeds):
                if (competition, agent, seed) not in recorded:
                    yield RunResult(
                        run_group=group.run_group,
                        run_id=f"{competition}_{agent}_seed-{seed}",
                        agent=agent,
                        competition=competition,
                        seed=seed,
                        status=Status.PLANNED,
                        finished=False,
                        reason="The run has not started.",
                    )


class _Taken:
    """The seeds that earlier groups and reports have used."""

    def __init__(self) -> None:
        self._seeds: set[tuple[str, str, int]] = set()
        self._next: dict[str, int] = {}

    def numbered_on(self, runs: list[RunResult]) -> list[RunResult]:
        """Return runs, with those of agents that would repeat a seed numbered on after all of the agent's."""
        repeating = {run.agent for run in runs if (run.agent, run.competition, run.seed) in self._seeds}
        first = {agent: self._next[agent] for agent in repeating}
        numbered = [run.model_copy(update={"seed": run.seed + first.get(run.agent, 0)}) for run in runs]
        for run in numbered:
            self._seeds.add((run.agent, run.competition, run.seed))
            self._next[run.agent] = max(self._next.get(run.agent, 0), run.seed + 1)
        return numbered


def _field_names(value: object) -> Collection[str]:
    """Return the names of the fields that a record's part has in its file."""
    if isinstance(value, BaseModel):
        return type(value).model_fields
    return {field.name for field in dataclasses.fields(value)} if dataclasses.is_dataclass(value) else ()
