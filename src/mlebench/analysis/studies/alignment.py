"""Whether results here agree with results on Kaggle: solutions run on both splits, and Kaggle grades its own.

A solution is an agent. It runs once on the data prepared here and once on Kaggle's own data, as two groups of runs.
What it leaves on Kaggle's data is sent to Kaggle as a late submission. Every step is recorded before the next one, so
the same call continues after an interruption or after Kaggle's daily limit.
"""

from __future__ import annotations

import dataclasses
import os
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from mlebench.analysis.studies.agreement import measure_agreement
from mlebench.analysis.studies.record import AlignmentRecord, Pair, Side
from mlebench.data import require_prepared
from mlebench.errors import NotPreparedError
from mlebench.ground.clock import now
from mlebench.ground.files import write_atomically
from mlebench.ground.version import __version__
from mlebench.kaggle import KaggleClient
from mlebench.preparation import read_member
from mlebench.runs.group import run_group
from mlebench.runs.options import RunOptions
from mlebench.runs.planning import plan_group
from mlebench.runs.progress import as_progress
from mlebench.runs.reader import read_record
from mlebench.runs.seal import file_digest
from mlebench.runs.slots import Slots

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path

    from mlebench.kaggle import SubmissionScores
    from mlebench.runs.plan import Plan
    from mlebench.runs.progress import Progress, RunCallback
    from mlebench.tasks.competition import Competition
    from mlebench.tasks.registry import Registry

    Names = str | Path | Sequence[str | Path]

RECORD = "alignment.json"
HERE, ORIGINAL = "here", "original"
"""The two groups in a study's folder. The verdicts of the second mean nothing, because Kaggle grades it."""
TIMEOUT = 900.0
"""Seconds that Kaggle gets to grade the submissions."""
POLL_INTERVAL = 10.0
"""Seconds between two requests for a score."""


class Kaggle(Protocol):
    """The part of `KaggleClient` that a study uses."""

    def submit(self, competition_id: str, file: Path, message: str) -> int: ...

    def find_submission(self, competition_id: str, message: str) -> int | None: ...

    def submission_scores(self, competition_id: str, ref: int) -> SubmissionScores: ...


def study_alignment(
    solutions: Names,
    competitions: Names = (),
    *,
    split: str | None = None,
    list_file: Path | None = None,
    seeds: int = 1,
    time_limit: str | float | None = None,
    memory: float | None = None,
    sandbox: str = "auto",
    output_dir: str | Path = "alignment",
    send: bool = True,
    data_dir: Path | None = None,
    folders: Sequence[Path] = (),
    progress: Progress | RunCallback | None = None,
    on_sent: Callable[[Pair], object] | None = None,
) -> AlignmentRecord:
    """Run solutions on the split here and on Kaggle's own, let Kaggle grade the latter, and compare.

    The same call continues an interrupted study. Each submission is sent at most once.

    Parameters
    ----------
    solutions
        Names or folders of agents.
    competitions, split, list_file, time_limit, memory, sandbox, data_dir, folders, progress
        As in `mlebench.run`. The data must be prepared with `keep_raw`.
    seeds
        Runs of each solution on each split.
    output_dir
        The study's folder, with `alignment.json`.
    send
        Whether to send late submissions to Kaggle, with the user's credentials. If not, the study only runs.
    on_sent
        A function that is called with each pair whose submission was sent.

    Returns
    -------
    AlignmentRecord
        The pairs and their agreement.

    Raises
    ------
    NotPreparedError
        The data of a competition are not prepared, or Kaggle's own data are missing.
    KaggleError
        Kaggle rejects a request or cannot be reached.

    Examples
    --------
    >>> record = mlebench.study_alignment("baseline", "leaf-classification", send=False)  # doctest: +SKIP
    >>> record.pairs[0].here  # doctest: +SKIP
    """
    options = RunOptions.of(
        agents=solutions,
        competitions=competitions,
        split=split,
        list_file=list_file,
        seeds=seeds,
        time_limit=time_limit,
        memory=memory,
        sandbox=sandbox,
        data_dir=data_dir,
        folders=folders,
        runs_dir=output_dir,
    )
    study = AlignmentStudy.of(options)
    record = study.run(as_progress(progress))
    if send:
        client = KaggleClient()
        study.send(client, on_sent or (lambda pair: None))
        record = study.fetch(client)
    return record


@dataclass(frozen=True)
class AlignmentStudy:
    """A study in a folder of its own."""

    folder: Path
    plan: Plan
    """Solutions, competitions and seeds, as they run here."""
    registry: Registry

    @classmethod
    def of(cls, options: RunOptions) -> AlignmentStudy:
        """Return the study that options describe; its folder is `runs_dir`. Nothing runs."""
        one_at_a_time = {"group": HERE, "parallel": 1}  # so that each run gets all cores
        planned = plan_group(options.model_copy(update=one_at_a_time))
        return cls(options.runs_dir, planned.plan, planned.registry)

    def run(self, progress: Progress) -> AlignmentRecord:
        """Run the solutions on both splits.

        Raises
        ------
        NotPreparedError
            The data of one split are missing.
        """
        originals = {
            label: original_competition(competition, self.folder)
            for label, competition in self.plan.competitions.items()
        }
        for competition in self.plan.competitions.values():
            require_prepared(competition)
        slots = Slots(os.cpu_count() or 1)
        here = run_group(self.plan, self.folder / HERE, self.registry, slots=slots, progress=progress)
        original_plan = dataclasses.replace(self.plan, competitions=originals)
        run_group(original_plan, self.folder / ORIGINAL, self.registry, slots=slots, progress=progress)
        known = {pair.run_id: pair for pair in self.read().pairs}
        for run in here.runs.values():
            if run.verdict is None:
                continue
            label = run.ref.label
            leaderboard = self.plan.competitions[label].standings
            side = Side.of(run.verdict.score, leaderboard, run.verdict.reason or "There is no score.")
            pair = Pair(run_id=run.run_id, competition=label, solution=run.agent, seed=run.seed)
            known[run.run_id] = known.get(run.run_id, pair).model_copy(update={"here": side})
        return self._write(known.values())

    def send(self, kaggle: Kaggle, on_sent: Callable[[Pair], object]) -> AlignmentRecord:
        """Send the submissions that are not sent yet, each at most once.

        That a submission is about to be sent is recorded first. If an earlier call was interrupted after that, Kaggle's
        list of submissions says whether it arrived.
        """
        record = self.read()
        for pair in self._pairs():
            if pair.kaggle_ref is not None or pair.kaggle is not None:
                continue
            file = self.folder / ORIGINAL / pair.run_id / "submission" / "submission.csv"
            if not file.is_file():
                sent = pair.model_copy(update={"kaggle": Side(problem="The solution left no submission.")})
            else:
                sent = pair.model_copy(update={"kaggle_ref": self._submit(kaggle, pair, file)})
            record = self._replace(sent)
            on_sent(sent)
        return record

    def _submit(self, kaggle: Kaggle, pair: Pair, file: Path) -> int:
        """Submit a file, or find the submission if an earlier call has sent it; return Kaggle's reference."""
        message = f"mlebench alignment: {pair.run_id} {file_digest(file)[:16]}"
        if pair.sending_since is not None:
            ref = kaggle.find_submission(pair.competition_id, message)
            if ref is not None:
                return ref
        self._replace(pair.model_copy(update={"sending_since": now()}))
        return kaggle.submit(pair.competition_id, file, message)

    def fetch(
        self, kaggle: Kaggle, *, timeout: float = TIMEOUT, poll_interval: float = POLL_INTERVAL
    ) -> AlignmentRecord:
        """Wait for Kaggle's scores; submissions that are not graded in time are left to the next call."""
        record = self.read()
        end = time.monotonic() + timeout
        for pair in self._pairs():
            while pair.kaggle is None and pair.kaggle_ref is not None:
                scores = kaggle.submission_scores(pair.competition_id, pair.kaggle_ref)
                if scores.status != "pending":
                    leaderboard = self.plan.competitions[pair.competition].standings
                    problem = scores.problem or "Kaggle gave no private score."
                    pair = pair.model_copy(update={"kaggle": Side.of(scores.private_score, leaderboard, problem)})
                    record = self._replace(pair)
                elif time.monotonic() > end:
                    break
                else:
                    time.sleep(poll_interval)
        return record

    def read(self) -> AlignmentRecord:
        """Return what is recorded so far."""
        path = self.folder / RECORD
        if not path.exists():
            return AlignmentRecord(mlebench_version=__version__, pairs=())
        return read_record(path, AlignmentRecord)

    def _pairs(self) -> Iterator[Pair]:
        """Yield the pairs of the plan; a study may have recorded other competitions before."""
        yield from (pair for pair in self.read().pairs if pair.competition in self.plan.competitions)

    def _replace(self, changed: Pair) -> AlignmentRecord:
        return self._write(changed if pair.run_id == changed.run_id else pair for pair in self.read().pairs)

    def _write(self, pairs: Iterable[Pair]) -> AlignmentRecord:
        pairs = tuple(pairs)
        record = AlignmentRecord(mlebench_version=__version__, pairs=pairs, agreement=measure_agreement(pairs))
        self.folder.mkdir(parents=True, exist_ok=True)
        write_atomically(self.folder / RECORD, record.as_file())
        return record


def original_competition(competition: Competition, folder: Path) -> Competition:
    """Return a competition whose agents get Kaggle's own data, as they were downloaded.

    Parameters
    ----------
    competition : Competition
        The competition as it is prepared here.
    folder : Path
        Where a zipped sample submission is unpacked.

    Raises
    ------
    NotPreparedError
        The raw data, or the sample submission in them, are missing.
    """
    name = competition.sample_submission.name
    samples = sorted(competition.raw_dir.glob(f"**/{name}"))
    zipped = sorted(competition.raw_dir.glob(f"**/{name}.zip"))
    if samples:
        sample = samples[0]
    elif zipped:
        sample = folder / f"{competition.label}.{name}"
        folder.mkdir(parents=True, exist_ok=True)
        with read_member(zipped[0], name) as member:
            sample.write_bytes(member.read())
    else:
        raise NotPreparedError(
            f"{competition.raw_dir} has no {name}: Kaggle's own data of {competition.id} are missing. Run: mlebench"
            f" prepare -c {competition.id} --keep-raw"
        )
    return dataclasses.replace(competition, public_dir=competition.raw_dir, sample_submission=sample, check=None)
