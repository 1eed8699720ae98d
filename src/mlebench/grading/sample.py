"""Check real data by grading the sample submission, whose score is on record."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mlebench.data import Source
from mlebench.data.manifest import write_manifest
from mlebench.data.progress import Step
from mlebench.errors import ChecksumError
from mlebench.grading.judge import judge

if TYPE_CHECKING:
    from mlebench.data.manifest import Manifest
    from mlebench.data.progress import Progress
    from mlebench.tasks.competition import Competition

DIGITS = 5
"""Decimal places of the scores on record."""


def check_sample(competition: Competition, manifest: Manifest, progress: Progress) -> Manifest:
    """Grade the sample submission of newly prepared real data, and record in the manifest that its score is right.

    It is the `mlebench.data.jobs.FinalCheck` of `mlebench.prepare_many`.

    Parameters
    ----------
    competition
        A competition whose data are prepared.
    manifest
        The manifest of the data.
    progress
        Receives the step.

    Returns
    -------
    Manifest
        The manifest, updated on disk as well if the score was checked.

    Raises
    ------
    ChecksumError
        The score differs from the one on record.
    """
    if manifest.sample_checked or _score_on_record(competition, manifest) is None:
        return manifest
    progress.step(Step.SAMPLE)
    problem = sample_problem(competition, manifest)
    if problem is not None:
        raise ChecksumError(problem)
    manifest = manifest.model_copy(update={"sample_checked": True})
    write_manifest(manifest, competition.prepared_dir)
    return manifest


def sample_problem(competition: Competition, manifest: Manifest) -> str | None:
    """Grade the sample submission and return what is wrong with its score, in one sentence.

    None if the score is the one on record, or if there is none for these data.
    """
    expected = _score_on_record(competition, manifest)
    if expected is None:
        return None
    verdict = judge(competition.sample_submission, competition)
    if verdict.score is not None and round(verdict.score, DIGITS) == round(expected, DIGITS):
        return None
    got = f"gets {verdict.score}" if verdict.score is not None else f"is not graded ({verdict.reason})"
    return (
        f"The sample submission of {competition.label} {got}, but {expected} is on record; grading differs on this "
        "machine, most likely by the version of a library, so its scores are not comparable with others."
    )


def _score_on_record(competition: Competition, manifest: Manifest) -> float | None:
    if manifest.source is not Source.KAGGLE or competition.declaration is None:
        return None
    return competition.declaration.sample_score
