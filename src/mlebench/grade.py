"""Grading: from a submission file to a verdict, without ever raising for what the file holds."""

from __future__ import annotations

import hashlib
import json
import logging
import traceback
import uuid
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mlebench.errors import DeclarationError, InvalidSubmissionError, NotPreparedError, UsageError
from mlebench.intake import (
    Allowance,
    SubmissionMissingError,
    parse_submission,
    read_submission,
    submission_bytes,
)
from mlebench.reports import (
    CompetitionReport,
    Outcome,
    Verdict,
    aggregate_reports,
    flat,
    now,
    report_row,
    totals,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mlebench.competition import Competition
    from mlebench.registry import Registry

logger = logging.getLogger(__name__)

__all__ = [
    "aggregate_reports",
    "check_submission",
    "grade_csv",
    "grade_jsonl",
    "judge",
    "load_answers",
    "validate_submission",
]

VALID = "Submission is valid."


def judge(path: Path | str, competition: Competition) -> Verdict:
    """Grade a submission file and say everything that is known about the result.

    Raises NotPreparedError when the competition's answers are not there; nothing else.
    """
    from mlebench.data import data_source, require_prepared

    path = Path(path)
    require_prepared(competition, grading_only=True)
    unrounded, outcome, reason, digest = _score(path, competition)
    score = unrounded
    if unrounded is not None and not competition.grader.exact:
        score = round(unrounded, 5)
    standings = competition.standings
    thresholds = standings.thresholds
    return Verdict(
        competition_id=competition.id,
        version=competition.version,
        outcome=outcome,
        reason=reason,
        score=score,
        unrounded_score=unrounded,
        medal=None if score is None else standings.medal(score),
        above_median=score is not None and standings.above_median(score),
        rank=None if score is None else standings.rank(score),
        teams=len(standings.scores),
        percentile=None if score is None else standings.percentile(score),
        normalized_score=normalized_score(score, competition),
        gold_threshold=thresholds.gold,
        silver_threshold=thresholds.silver,
        bronze_threshold=thresholds.bronze,
        median_threshold=thresholds.median,
        lower_is_better=competition.lower_is_better,
        leaderboard=competition.declaration.field if competition.declaration else "human",
        data=data_source(competition),
        submission_path=str(path),
        submission_sha256=digest,
        graded_at=now(),
    )


def _score(path: Path, competition: Competition) -> tuple[float | None, Outcome, str | None, str | None]:
    """Return the unrounded score, the outcome, the reason, and the digest of the file if it could be read."""
    digest = None
    try:
        allowance = Allowance.like(competition.sample_submission, competition.answers)
        content = submission_bytes(path, allowance)
        digest = hashlib.sha256(content).hexdigest()
        submission = parse_submission(content, allowance)
        one_by_one = competition.declaration is not None and competition.declaration.answer_table is not None
        answers = iterate_jsonl(competition.answers) if one_by_one else load_answers(competition.answers)
        return competition.grader.score(submission, answers), Outcome.GRADED, None, digest
    except SubmissionMissingError as error:
        return None, Outcome.MISSING, str(error), digest
    except InvalidSubmissionError as error:
        return None, Outcome.INVALID, str(error), digest
    except Exception as error:  # noqa: BLE001  whatever a task's grade function raises ends here
        logger.debug("Grading %s failed:\n%s", path, traceback.format_exc())
        frame = traceback.extract_tb(error.__traceback__)[-1]
        place = f"{Path(frame.filename).name}, line {frame.lineno}"
        reason = flat(f"Grading failed with {type(error).__name__} in {place}: {error}")
        return None, Outcome.FAILED, reason, digest


def normalized_score(score: float | None, competition: Competition) -> float | None:
    """Return where a score lies between the sample submission's (0) and the gold threshold (1)."""
    sample = competition.declaration.sample_score if competition.declaration else None
    gold = competition.standings.thresholds.gold
    if score is None or sample is None or sample == gold:
        return None
    return (score - sample) / (gold - sample) + 0.0  # never -0.0


def load_answers(path: Path) -> Any:
    """Read an answers file: `.csv` gives a frame, `.jsonl` a list of objects; ValueError for anything else."""
    if path.suffix == ".csv":
        from mlebench.tables import read_csv

        return read_csv(path)
    if path.suffix == ".jsonl":
        return read_jsonl(path)
    raise DeclarationError(f"Answers are .csv or .jsonl files, not {path.name!r}.")


def read_jsonl(path: Path, *, skip_comments: bool = False) -> list[dict[str, Any]]:
    """Read a file with one JSON object a line; blank lines, and comment lines if told so, are skipped."""
    return list(iterate_jsonl(path, skip_comments=skip_comments))


def iterate_jsonl(path: Path, *, skip_comments: bool = False) -> Iterator[dict[str, Any]]:
    """Yield what `read_jsonl` returns, one object at a time."""
    try:
        with path.open(encoding="utf-8") as lines:
            for number, line in enumerate(lines, start=1):
                text = line.strip()
                if not text or (skip_comments and text.startswith(("#", "//"))):
                    continue
                try:
                    yield json.loads(text)
                except json.JSONDecodeError as error:
                    raise UsageError(f"Line {number} of {path} is not JSON: {error.msg}.") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"{path} must be UTF-8 text, but a byte of it is not: {error.reason}.") from error


def check_submission(path: Path, competition: Competition) -> str:
    """Say whether a submission has the shape of the sample submission; the answers are not opened.

    This is the check that an agent may call. Its message holds nothing that the sample submission does not tell.
    """
    try:
        submission = read_submission(path, Allowance.like(competition.sample_submission))
        if competition.declaration is not None:
            from mlebench.tables import read_csv

            sample = read_csv(competition.sample_submission)
            aligned = competition.declaration.submission.align(submission, sample)
            if competition.check is not None:
                beside = competition.declaration.check_with
                competition.check(aligned, *([read_csv(competition.prepared_dir / beside)] if beside else []))
    except InvalidSubmissionError as error:
        return f"Submission invalid! {error}"
    return VALID


def validate_submission(path: Path, competition: Competition) -> tuple[bool, str]:
    """Say whether a submission can be graded, by grading it; the texts are those that clients compare."""
    from mlebench.data import require_prepared

    path = Path(path)
    if not path.is_file():
        return False, f"Submission invalid! Submission file {path} does not exist."
    if path.suffix.lower() != ".csv":
        return False, "Submission invalid! Submission file must be a CSV file."
    require_prepared(competition, grading_only=True)
    _, outcome, reason, _ = _score(path, competition)
    if outcome is Outcome.GRADED:
        return True, VALID
    attempt = "The attempt to grade the submission has resulted in the following error message:"
    return False, f"Submission invalid! {attempt}\n{reason}"


def grade_csv(path: Path, competition: Competition) -> CompetitionReport:
    """Grade a submission file and return the report in the common format."""
    verdict = judge(path, competition)
    log_verdict(verdict)
    return CompetitionReport.from_verdict(verdict)


def log_verdict(verdict: Verdict) -> None:
    """Log what happened to a submission in the words that clients look for."""
    match verdict.outcome:
        case Outcome.INVALID:
            logger.warning("Invalid submission: %s", verdict.reason)
        case Outcome.MISSING:
            logger.warning("Invalid submission file: %s", verdict.reason)
        case Outcome.FAILED:
            logger.error("Unexpected error during grading: %s", verdict.reason)


def grade_jsonl(path_to_submissions: Path, output_dir: Path, registry: Registry | None = None) -> Path:
    """Grade what a `submission.jsonl` lists and write the grading report; returns the report's path.

    Each line has a `competition_id` (with `@v2` for that version) and a `submission_path`, which may be null.
    Every competition is looked up before the first is graded, so that a wrong name loses no work.
    """
    from mlebench.data import is_dataset_prepared
    from mlebench.files import write_atomically
    from mlebench.registry import registry as default_registry
    from mlebench.utils import get_timestamp

    registry = registry or default_registry
    entries = read_jsonl(Path(path_to_submissions), skip_comments=True)
    for number, entry in enumerate(entries, start=1):
        if not isinstance(entry, dict) or not isinstance(entry.get("competition_id"), str):
            raise UsageError(f"Entry {number} of {path_to_submissions} has no competition_id.")
    competitions = {name: registry.get_competition(name) for name in {e["competition_id"] for e in entries}}
    unprepared = [
        name
        for name, competition in sorted(competitions.items())
        if not is_dataset_prepared(competition, grading_only=True)
    ]
    if unprepared:
        raise NotPreparedError(
            f"Not prepared: {', '.join(unprepared)}; prepare them first, as in mlebench prepare -c {unprepared[0]}."
        )
    output_dir = Path(output_dir)
    try:
        output_dir.mkdir(exist_ok=True)  # before hours of grading, not after
    except (FileNotFoundError, FileExistsError, NotADirectoryError) as error:
        raise UsageError(f"The folder {output_dir} for the report cannot be made: {error.strerror}.") from error
    rows = []
    for entry in entries:
        verdict = judge(Path(str(entry.get("submission_path"))), competitions[entry["competition_id"]])
        log_verdict(verdict)
        rows.append(report_row(verdict))
    report = totals(rows)
    logger.info(json.dumps({name: value for name, value in report.items() if name != "competition_reports"}, indent=4))
    target = output_dir / f"{get_timestamp()}_grading_report.json"
    while target.exists():  # two calls within a second
        target = target.with_name(f"{get_timestamp()}_{uuid.uuid4().hex[:8]}_grading_report.json")
    write_atomically(target, json.dumps(report, indent=2) + "\n")
    logger.info("Saved summary report to %s", target)
    return target
