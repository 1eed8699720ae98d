"""The results without the competitions whose leaderboard is void or saturated."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mlebench.analysis.model import Headline
from mlebench.analysis.rates import summarize_agent

if TYPE_CHECKING:
    from mlebench.analysis.evaluation import Evaluation


def find_headline(evaluation: Evaluation) -> Headline | None:
    """Return the results without the competitions that have no place in a headline; None if there are none."""
    counted = dict.fromkeys(label for agent in evaluation.agents for label in agent.competitions)
    left_out = sorted((label for label in counted if not evaluation.facts[label].headline), key=str.casefold)
    if not left_out:
        return None
    selection = evaluation.selection.without(left_out)
    agents = tuple(summarize_agent(name, runs, selection) for name, runs in evaluation.runs.items())
    return Headline(left_out=tuple(left_out), agents=agents)
