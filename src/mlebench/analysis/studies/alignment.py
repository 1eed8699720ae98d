"""Whether results here say what results on Kaggle would: solutions run on both splits, the other graded by Kaggle.

A solution is an agent. It runs as any agent does, once on the data prepared here and once on Kaggle's own, as two
groups of runs; what it leaves on Kaggle's is sent there as a late submission. Every step is written down before the
next, so that the same command goes on where an earlier one was cut short, or where Kaggle's daily limit ended it.
"""

from __future__ import annotations

import dataclasses
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from pydantic import ValidationError

from mlebench.analysis.studies.pairs import AlignmentRecord, Pair, Side, agree
from mlebench.data import require_prepared
from mlebench.errors import NotPreparedError, RunError
from mlebench.ground.files import write_atomically
from mlebench.ground.version import __version__
from mlebench.preparation import read_member
from mlebench.runs.group import run_group

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from mlebench.kaggle import SubmissionScores
    from mlebench.runs.plan import Plan
    from mlebench.runs.progress import Progress
    from mlebench.runs.slots import Slots
    from mlebench.tasks.competition import Competition
    from mlebench.tasks.registry import Registry

RECORD = "alignment.json"
HERE, ORIGINAL = "here", "original"
"""The groups of runs in a study's folder; the verdicts of the second one mean nothing, since Kaggle grades it."""
PATIENCE, PAUSE = 900.0, 10.0
"""Seconds that Kaggle gets to grade a submission, and between two questions."""


class Kaggle(Protocol):
    """What a study needs of a `KaggleClient`."""

    def submit(self, competition_id: str, file: Path, message: str) -> int: ...

    def submission_scores(self, competition_id: str, ref: int) -> SubmissionScores: ...


@dataclass(frozen=True)
class AlignmentStudy:
    """A study in a folder of its own."""

    folder: Path
    plan: Plan
    """Solutions, competitions and seeds; it says what runs here."""

    def run(self, registry: Registry, *, slots: Slots, progress: Progress) -> AlignmentRecord:
        """Run the solutions on both splits.

        Raises NotPreparedError if the data of one side are not there.
        """
        originals = {label: original(competition, self.folder) for label, competition in self.plan.competitions.items()}
        for competition in self.plan.competitions.values():
            require_prepared(competition)
        here = run_group(self.plan, self.folder / HERE, registry, slots=slots, progress=progress)
        there = dataclasses.replace(self.plan, competitions=originals)
        run_group(there, self.folder / ORIGINAL, registry, slots=slots, progress=progress)
        pairs = {pair.run_id: pair for pair in self.read().pairs}
        for run in here.runs.values():
            if run.verdict is None:
                continue
            competition = self.plan.competitions[run.competition_id]
            side = Side.of(run.verdict.score, competition.standings, run.verdict.reason or "There is no score.")
            pair = Pair(run_id=run.run_id, competition=run.competition_id, solution=run.agent, seed=run.seed)
            pairs[run.run_id] = pairs.get(run.run_id, pair).model_copy(update={"here": side})
        return self._write(list(pairs.values()))

    def send(self, kaggle: Kaggle, told: Callable[[Pair], None]) -> AlignmentRecord:
        """Send what is not sent yet; `told` gets each pair after it is."""
        pairs = {pair.run_id: pair for pair in self.read().pairs}
        record = self._write(list(pairs.values()))
        for pair in list(pairs.values()):
            if pair.kaggle_ref is not None or pair.kaggle is not None:
                continue
            file = self._submission(pair)
            if file is None:
                sent = pair.model_copy(update={"kaggle": Side(problem="The solution left no submission.")})
            else:
                message = f"mlebench alignment: {pair.solution}, seed {pair.seed}"
                sent = pair.model_copy(update={"kaggle_ref": kaggle.submit(pair.competition, file, message)})
            pairs[pair.run_id] = sent
            record = self._write(list(pairs.values()))
            told(sent)
        return record

    def fetch(self, kaggle: Kaggle, *, patience: float = PATIENCE, pause: float = PAUSE) -> AlignmentRecord:
        """Wait for Kaggle's scores; what is not graded in time stays open for the next call."""
        pairs = {pair.run_id: pair for pair in self.read().pairs}
        record = self._write(list(pairs.values()))
        end = time.monotonic() + patience
        for pair in list(pairs.values()):
            while pair.kaggle is None and pair.kaggle_ref is not None:
                scores = kaggle.submission_scores(pair.competition, pair.kaggle_ref)
                if scores.status != "pending":
                    standings = self.plan.competitions[pair.competition].standings
                    problem = scores.problem or "Kaggle gave no private score."
                    pair = pair.model_copy(update={"kaggle": Side.of(scores.private_score, standings, problem)})
                elif time.monotonic() > end:
                    break
                else:
                    time.sleep(pause)
            pairs[pair.run_id] = pair
            record = self._write(list(pairs.values()))
        return record

    def read(self) -> AlignmentRecord:
        """Return what is known so far."""
        path = self.folder / RECORD
        if not path.exists():
            return AlignmentRecord(mlebench_version=__version__, pairs=())
        try:
            return AlignmentRecord.model_validate_json(path.read_bytes())
        except (OSError, ValidationError) as error:
            reason = str(error).splitlines()[0]
            raise RunError(f"The record {path} cannot be read ({reason}); restore it or move it away.") from error

    def _write(self, pairs: list[Pair]) -> AlignmentRecord:
        record = AlignmentRecord(mlebench_version=__version__, pairs=tuple(pairs), agreement=agree(pairs))
        self.folder.mkdir(parents=True, exist_ok=True)
        write_atomically(self.folder / RECORD, record.as_file())
        return record

    def _submission(self, pair: Pair) -> Path | None:
        path = self.folder / ORIGINAL / pair.run_id / "submission" / "submission.csv"
        return path if path.is_file() else None


def original(competition: Competition, folder: Path) -> Competition:
    """Return a competition whose agents get Kaggle's own data, as they were downloaded.

    A sample submission that comes in a zip is unpacked into `folder`. Raises NotPreparedError if the data are not
    there, or lack the sample submission, which tells the rows that Kaggle grades.
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
            f"Kaggle's own data of {competition.id} are not in {competition.raw_dir} (with {name}); prepare them with: "
            f"mlebench prepare -c {competition.id} --keep-raw"
        )
    return dataclasses.replace(competition, public_dir=competition.raw_dir, sample_submission=sample, check=None)
