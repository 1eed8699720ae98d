"""Graders and their reports."""

from mlebench.errors import InvalidSubmissionError
from mlebench.grading.reports import CompetitionReport
from mlebench.tasks.grader import Grader

__all__ = ["CompetitionReport", "Grader", "InvalidSubmissionError"]
