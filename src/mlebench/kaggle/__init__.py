"""Kaggle, asked through its own library, behind one class: nothing of it is imported before something is asked.

    client = KaggleClient()                                        nothing happens yet
    client.download("leaf-classification", Path("leaf-classification.zip"))
    client.survey(["leaf-classification", "spaceship-titanic"])    sizes, and whose rules are still to be accepted
    describe(client, competition)                                  the text of its pages, for description.md

Every failure is a KaggleError, a ChecksumError, a DiskFullError or, without the extra `kaggle`, a MissingExtraError.
"""

from mlebench.kaggle.client import KaggleClient
from mlebench.kaggle.description import describe
from mlebench.kaggle.facts import CompetitionFacts, DataFile, Notebook, SubmissionScores, Survey, rules_page
from mlebench.kaggle.patience import Patience

__all__ = [
    "CompetitionFacts",
    "DataFile",
    "KaggleClient",
    "Notebook",
    "Patience",
    "SubmissionScores",
    "Survey",
    "describe",
    "rules_page",
]
