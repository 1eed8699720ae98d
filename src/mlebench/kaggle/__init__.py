"""A client for Kaggle, on top of Kaggle's own library; that library is imported at the first request.

    client = KaggleClient()                                        sends no request
    client.download("leaf-classification", Path("leaf-classification.zip"))
    client.survey(["leaf-classification", "spaceship-titanic"])    archive sizes, and rules to accept
    describe(client, competition)                                  the competition's pages as Markdown

Failures are raised as KaggleError, ChecksumError, DiskFullError or, without the extra `kaggle`, MissingExtraError.
"""

from mlebench.kaggle.client import KaggleClient
from mlebench.kaggle.description import describe
from mlebench.kaggle.models import CompetitionInfo, DataFile, Notebook, SubmissionScores, Survey, rules_page
from mlebench.kaggle.retry import RetryPolicy

__all__ = [
    "CompetitionInfo",
    "DataFile",
    "KaggleClient",
    "Notebook",
    "RetryPolicy",
    "SubmissionScores",
    "Survey",
    "describe",
    "rules_page",
]
