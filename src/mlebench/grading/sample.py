"""Check real data by grading the sample submission, whose score is on record."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mlebench.data import Source, read_manifest
from mlebench.data.manifest import write_manifest
from mlebench.data.progress import Quiet, Step
from mlebench.data.verifying import verify
from mlebench.errors import ChecksumError
from mlebench.grading.judge import judge

if TYPE_CHECKING:
    from mlebench.data.manifest import Manifest
    from mlebench.data.progress import Progress
    from mlebench.data.verifying import Verification
    from mlebench.tasks.competition import Competition

DIGITS = 5
"""Decimal places of the scores on record."""


@dataclass(frozen=True)
class Verified:
    """The result of verifying a competition's prepared data."""

    verification: Verification
    sample: str | None
    """What is wrong with the score of the sample submission, in one sentence; None if it is right or not checked."""

    @property
    def agrees(self) -> bool:
        """Whether files and score are those on record."""
        return self.verification.agrees and self.sample is None

    def as_json(self) -> dict[str, Any]:
        """Return the result as plain values for JSON."""
        found = [{**each._asdict(), "meaning": each.meaning} for each in self.verification.differences]
        facts = {**dataclasses.asdict(self.verification), "differences": found}
        return {**facts, "sample_submission": self.sample, "agrees": self.agrees}


def check_sample(competition: Competition, manifest: Manifest, progress: Progress) -> Manifest:
    """Grade the sample submission of newly prepared real data, and record in the manifest that its score is right.

    Parameters
    ----------
    competition
        A competition whose data are prepared.
    manifest
        The manifest of the data.
    progress
        Is told that the step has begun.

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
    wrong = _what_is_wrong(competition, manifest)
    if wrong is not None:
        raise ChecksumError(wrong)
    manifest = manifest.model_copy(update={"sample_checked": True})
    write_manifest(manifest, competition.prepared_dir)
    return manifest


def verify_data(competition: Competition) -> Verified:
    """Compare prepared files with their checksums on record, and grade the sample submission if they agree."""
    found, manifest = verify(competition, Quiet()), read_manifest(competition)
    checked = manifest is not None and found.agrees
    return Verified(found, _what_is_wrong(competition, manifest) if checked and manifest else None)


def _score_on_record(competition: Competition, manifest: Manifest) -> float | None:
    if manifest.source is not Source.KAGGLE or competition.version != "v1" or competition.declaration is None:
        return None
    return competition.declaration.sample_score


def _what_is_wrong(competition: Competition, manifest: Manifest) -> str | None:
    wanted = _score_on_record(competition, manifest)
    if wanted is None:
        return None
    verdict = judge(competition.sample_submission, competition)
    if verdict.score is not None and round(verdict.score, DIGITS) == round(wanted, DIGITS):
        return None
    got = f"gets {verdict.score}" if verdict.score is not None else f"is not graded ({verdict.reason})"
    return (
        f"The sample submission of {competition.label} {got}, but {wanted} is on record; grading differs on this "
        "machine, most likely by the version of a library, so its scores are not comparable with others."
    )
