"""One result for each run of all sources."""

from __future__ import annotations

import dataclasses
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import BaseModel

from mlebench.analysis.model import RunResult
from mlebench.errors import ReportError, UsageError
from mlebench.grading.reports import Outcome
from mlebench.runs.layout import METADATA
from mlebench.runs.record import Status
from mlebench.sandbox.ending import Reason
from mlebench.tasks.ref import TaskRef, Version

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from mlebench.analysis.grading_reports import GradedRow, GradingReport
    from mlebench.analysis.sources import Sources
    from mlebench.grading.reports import Verdict
    from mlebench.runs.reader import Group
    from mlebench.runs.record import RunRecord

NOT_COUNTED = {
    Reason.STOPPED: "The run was stopped, so it does not count.",
    Reason.HARNESS: "The sandbox failed, not the agent, so the run does not count.",
}
"""Endings after which a run does not count, with the reason in words."""
NOT_STARTED = "The run has not started."
UNFINISHED = {
    Status.PLANNED: NOT_STARTED,
    Status.RUNNING: "The run is in progress, or its harness was killed.",
    Status.ENDED: "The run has ended and is not graded yet.",
    Status.GRADED: "The run is marked as graded but has no verdict.",
}
MAX_RUNS = 1_000_000
"""Planned runs of a group; a damaged plan may have any number."""
VERDICT_FIELDS = (
    *("outcome", "reason", "score", "medal", "above_median", "rank", "teams", "percentile"),
    *("normalized_score", "data"),
)


def collect_runs(sources: Sources, *, group_by: str | None = None) -> list[RunResult]:
    """Return the results of all runs, planned runs that never started included.

    An agent's runs in several groups are combined by their seeds. If a later group repeats a seed of an earlier one,
    its seeds are renumbered to follow all earlier seeds of the agent. Grading reports have no seeds: the n-th row of a
    competition in an agent's reports is seed n.

    Parameters
    ----------
    sources : Sources
        Run groups and grading reports.
    group_by : str, optional
        A field of `run.json` or `metadata.json`, such as `profile` or `limits.seconds`. Runs of an agent with
        different values become different agents, named `AGENT · VALUE`.

    Raises
    ------
    UsageError
        There is no such field.
    ReportError
        The plan of a group has too many runs.
    """
    collected: list[RunResult] = []
    seeds = _Seeds()
    for group in sorted(sources.groups, key=lambda group: group.record.created_at):
        runs = [_result(group, run, group_by) for run in group.runs]
        if group_by is None:
            runs += _runs_without_record(group, runs)
        collected += seeds.renumber(runs)
    by_agent: dict[str, list[RunResult]] = {}
    for report in sources.reports:
        runs = by_agent.setdefault(report.agent, [])
        rows_before = Counter(run.competition for run in runs)
        for row in report.rows:
            runs.append(_row_result(report, row, rows_before[row.competition]))
            rows_before[row.competition] += 1
    for runs in by_agent.values():
        collected += seeds.renumber(runs)
    return collected


def _result(group: Group, run: RunRecord, group_by: str | None) -> RunResult:
    ending, verdict = run.ending, run.verdict
    excluded = group.damages.get(run.run_id) or (NOT_COUNTED.get(ending.reason) if ending else None)
    finished = run.status is Status.GRADED and verdict is not None and excluded is None
    result = RunResult(
        run_group=group.name,
        run_id=run.run_id,
        agent=f"{run.agent} · {_find_field(group, run, group_by)}" if group_by else run.agent,
        competition=run.ref.label,
        seed=run.seed,
        status=run.status,
        finished=finished,
        reason=None if finished else excluded or UNFINISHED[run.status],
        ending=ending.reason if ending else None,
        ending_detail=ending.detail if ending else "",
        seconds=ending.seconds if ending else None,
        attempts=run.attempt,
        usage=run.usage,
        folder=_subfolder(group.folder, run.run_id),
    )
    if not finished or verdict is None:
        return result
    graded = _with_verdict(result, verdict)
    by_rules = _verdict_by_rules(run)
    return graded if by_rules is None else graded.model_copy(update={"by_rules_of_v2": _with_verdict(result, by_rules)})


def _with_verdict(result: RunResult, verdict: Verdict) -> RunResult:
    return result.model_copy(update={name: getattr(verdict, name) for name in VERDICT_FIELDS})


def _verdict_by_rules(run: RunRecord) -> Verdict | None:
    """Return the latest verdict by the rules of v2 on the data of v1, if there is one."""
    found = [regrade.verdict for regrade in run.regrades if regrade.verdict.data_version == Version.V1]
    return found[-1] if found else None


def _subfolder(folder: Path, name: str) -> Path | None:
    """Return a folder directly inside another one, or None for a name that leads elsewhere."""
    return None if name in ("", ".", "..") or Path(name).name != name else folder / name


def _find_field(group: Group, run: RunRecord, path: str) -> str:
    """Return a field of the run's record, of its group's record, or of the group's plan, as text."""
    for record in (run, group.record, group.record.plan):
        value: object = record
        for name in path.split("."):
            if isinstance(value, dict) and name in value:
                value = value[name]
            elif name in _field_names(value):
                value = getattr(value, name)
            elif value is not None:  # a field of an optional record that is None is none as well
                break
        else:
            return "none" if value is None else f"{value:g}" if isinstance(value, float) else str(value)
    raise UsageError(
        f"There is no field {path!r} to group by. Name a field of run.json or metadata.json, such as profile, sandbox,"
        " machine, limits.seconds or usage.requests."
    )


def _field_names(record: object) -> Collection[str]:
    if isinstance(record, BaseModel):
        return type(record).model_fields
    return [field.name for field in dataclasses.fields(record)] if dataclasses.is_dataclass(record) else ()


def _row_result(report: GradingReport, row: GradedRow, seed: int) -> RunResult:
    outcome = row.final_outcome
    result = RunResult(
        run_group=report.name,
        run_id=f"{row.competition}_{report.agent}_seed-{seed}",
        agent=report.agent,
        competition=row.competition,
        seed=seed,
        status=Status.GRADED,
        finished=True,
    )
    verdict = {name: getattr(row, name) for name in VERDICT_FIELDS}
    score = row.score if outcome is Outcome.GRADED else None
    return result.model_copy(update=verdict | {"outcome": outcome, "score": score})


def _runs_without_record(group: Group, runs: list[RunResult]) -> Iterator[RunResult]:
    plan = group.record.plan
    planned = len(plan.agents) * len(plan.competitions) * plan.seeds
    if len(runs) >= planned:
        return
    if planned > MAX_RUNS:
        raise ReportError(
            f"The plan of the group {group.name} has {planned:,} runs, but reports have {MAX_RUNS:,} at most. "
            f"Restore {group.folder / METADATA}."
        )
    recorded = {(run.competition, run.agent, run.seed) for run in runs}
    for competition in (TaskRef.parse(name).label for name in plan.competitions):
        for agent in plan.agents:
            for seed in range(plan.seeds):
                if (competition, agent, seed) not in recorded:
                    yield RunResult(
                        run_group=group.name,
                        run_id=f"{competition}_{agent}_seed-{seed}",
                        agent=agent,
                        competition=competition,
                        seed=seed,
                        status=Status.PLANNED,
                        finished=False,
                        reason=NOT_STARTED,
                    )


class _Seeds:
    """The seeds that earlier groups and reports use."""

    def __init__(self) -> None:
        self._used: set[tuple[str, str, int]] = set()
        self._next: dict[str, int] = {}

    def renumber(self, runs: list[RunResult]) -> list[RunResult]:
        """Return the runs; if an agent repeats a seed, all its seeds are moved behind its earlier ones."""
        repeating = {run.agent for run in runs if (run.agent, run.competition, run.seed) in self._used}
        offsets = {agent: self._next[agent] for agent in repeating}
        renumbered = [run.model_copy(update={"seed": run.seed + offsets.get(run.agent, 0)}) for run in runs]
        for run in renumbered:
            self._used.add((run.agent, run.competition, run.seed))
            self._next[run.agent] = max(self._next.get(run.agent, 0), run.seed + 1)
        return renumbered
