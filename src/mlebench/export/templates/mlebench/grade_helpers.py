"""What a grader is and what it leaves behind."""

from mlebench.errors import InvalidSubmissionError
from mlebench.grader import Grader
from mlebench.reports import CompetitionReport

__all__ = ["CompetitionReport", "Grader", "InvalidSubmissionError"]
