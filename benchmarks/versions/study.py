"""Run agents on the rehearsal data of tasks in both versions."""

from __future__ import annotations

import math
import statistics
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import mlebench
from mlebench.tasks.ref import TaskRef, Version

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from mlebench.grading.reports import Verdict
    from mlebench.runs.reader import Group

TASKS = (
    "cassava-leaf-disease-classification",
    "dog-breed-identification",
    "dogs-vs-cats-redux-kernels-edition",
    "learning-agency-lab-automated-essay-scoring-2",
    "random-acts-of-pizza",
    "siim-isic-melanoma-classification",
    "spooky-author-identification",
    "tensorflow-speech-recognition-challenge",
    "us-patent-phrase-to-phrase-matching",
    "whale-categorization-playground",
)
"""Tasks whose v1 has leaks that need no knowledge of the task."""
LEAKS = Path(__file__).with_name("leaks")
SEEDS = 1
"""Runs of each agent on a task; only `baseline` has randomness."""


@dataclass(frozen=True)
class Result:
    """What an agent reached on a task."""

    task: str
    agent: str
    lower_is_better: bool
    v1: tuple[Verdict, ...]
    regraded: tuple[Verdict, ...]
    """The submissions to v1, graded by the rules of v2."""
    v2: tuple[Verdict, ...]


def study(tasks: Sequence[str], folder: Path, *, sandbox: str = "bubblewrap", seeds: int = SEEDS) -> list[Result]:
    """Run the agents `dummy`, `baseline` and `leaks`, and return what they reached.

    Parameters
    ----------
    tasks
        Ids of competitions.
    folder
        Folder for data and runs.
    sandbox
        The sandbox of the runs.
    seeds
        Number of runs of each agent on each task and version.
    """
    verdicts: dict[tuple[str, str, str], tuple[Verdict, ...]] = {}
    for version in (Version.V1, Version.V2):
        group = mlebench.run(
            ("dummy", "baseline", str(LEAKS)),
            [TaskRef(task, version).label for task in tasks],
            seeds=seeds,
            sandbox=sandbox,
            rehearsal=True,
            time_limit="5m",
            memory=2,
            cpus=1,
            group=str(version),
            runs_dir=folder / "runs",
            data_dir=folder / "data",
        )
        verdicts |= _by_task(group, str(version))
        if version is Version.V1:
            again = mlebench.regrade(folder / "runs" / group.name, rules="v2", data_dir=folder / "data")
            verdicts |= _by_task(again, "regraded")
    registry = mlebench.Registry(folder / "data")
    return [
        Result(
            task,
            agent,
            registry.get_competition(task).lower_is_better,
            *(verdicts[task, agent, column] for column in ("v1", "regraded", "v2")),
        )
        for task in tasks
        for agent in ("dummy", "baseline", "leaks")
    ]


def _by_task(group: Group, column: str) -> dict[tuple[str, str, str], tuple[Verdict, ...]]:
    found: dict[tuple[str, str, str], tuple[Verdict, ...]] = {}
    for run in group.runs:
        verdict = run.regrades[-1].verdict if column == "regraded" else run.verdict
        if verdict is None:
            raise RuntimeError(f"The run {run.run_id} has no verdict.")
        key = (run.competition_id, run.agent, column)
        found[key] = (*found.get(key, ()), verdict)
    return found


def mean_score(verdicts: Iterable[Verdict]) -> float | None:
    """Return the mean score, or None if a submission has none or its score is NaN."""
    scores = [verdict.score for verdict in verdicts]
    known = [score for score in scores if score is not None and not math.isnan(score)]
    return statistics.fmean(known) if known and len(known) == len(scores) else None


def gain(agent: Iterable[Verdict], other: Iterable[Verdict], *, lower_is_better: bool) -> float | None:
    """Return by how much the mean score of an agent is better than another one's; None if either has no score."""
    of_agent, of_other = mean_score(agent), mean_score(other)
    if of_agent is None or of_other is None:
        return None
    return of_other - of_agent if lower_is_better else of_agent - of_other
