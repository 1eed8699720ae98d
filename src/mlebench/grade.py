"""Grading, under the module path that programs written for the reference import."""

from mlebench.grading.answers import load_answers
from mlebench.grading.batch import grade_jsonl
from mlebench.grading.check import check_submission, validate
from mlebench.grading.judge import judge
from mlebench.grading.reference import grade_csv, validate_submission
from mlebench.grading.reports import aggregate_reports

__all__ = [
    "aggregate_reports",
    "check_submission",
    "grade_csv",
    "grade_jsonl",
    "judge",
    "load_answers",
    "validate",
    "validate_submission",
]
