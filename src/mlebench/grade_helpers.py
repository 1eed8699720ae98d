"""The classes of grading, under the module path that programs written for the reference import."""

from mlebench.errors import InvalidSubmissionError
from mlebench.grading.reports import CompetitionReport
from mlebench.tasks.grader import Grader

__all__ = ["CompetitionReport", "Grader", "InvalidSubmissionError"]
