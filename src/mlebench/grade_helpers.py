"""The names of grading under the module path that programs written for the reference import."""

from mlebench.errors import InvalidSubmissionError
from mlebench.grader import Grader
from mlebench.reports import CompetitionReport

__all__ = ["CompetitionReport", "Grader", "InvalidSubmissionError"]
