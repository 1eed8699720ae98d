"""Grade submissions."""

from mlebench.grade import aggregate_reports, grade_csv, grade_jsonl, validate_submission

__all__ = ["aggregate_reports", "grade_csv", "grade_jsonl", "validate_submission"]
