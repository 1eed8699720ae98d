"""The content of `report.json`, as pydantic models; nothing here computes anything.

runs          one run
rates         the columns of the main table, and means with their errors
agents        one agent; agents compared; curves
competitions  one competition: facts, leaderboard, and what each agent achieved in it
summary       the whole report
"""

from mlebench.analysis.model.agents import (
    AgentSummary,
    Breakdown,
    Comparison,
    Curve,
    Difference,
    Headline,
    Over,
    Part,
    Quantity,
    Rule,
    Trend,
    VersionEffect,
    WithoutProblem,
)
from mlebench.analysis.model.competitions import (
    CellSummary,
    CompetitionFacts,
    CompetitionSummary,
    LeaderboardShape,
    TaskSet,
    TaskSummary,
)
from mlebench.analysis.model.rates import Estimate, Rate, RateEstimate
from mlebench.analysis.model.runs import RunKey, RunResult
from mlebench.analysis.model.summary import GroupSummary, ReportSummary, Summary

__all__ = [
    "AgentSummary",
    "Breakdown",
    "CellSummary",
    "Comparison",
    "CompetitionFacts",
    "CompetitionSummary",
    "Curve",
    "Difference",
    "Estimate",
    "GroupSummary",
    "Headline",
    "LeaderboardShape",
    "Over",
    "Part",
    "Quantity",
    "Rate",
    "RateEstimate",
    "ReportSummary",
    "Rule",
    "RunKey",
    "RunResult",
    "Summary",
    "TaskSet",
    "TaskSummary",
    "Trend",
    "VersionEffect",
    "WithoutProblem",
]
