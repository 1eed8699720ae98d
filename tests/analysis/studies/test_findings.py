from __future__ import annotations

import pytest

from mlebench.analysis.studies.agreement import measure_agreement
from mlebench.analysis.studies.findings import describe_findings, pair_table
from mlebench.analysis.studies.record import AlignmentRecord, Pair, Side

from ..records import BELOW, GOLD, LEADERBOARD, SILVER


def make_record(*scores: tuple[float | None, float | None], ungraded: int = 0) -> AlignmentRecord:
    """Make a study from the scores of its pairs, here and at Kaggle, and pairs that Kaggle has not graded."""
    pairs = [
        Pair(
            run_id=f"c{number}_a_seed-0", competition=f"c{number}", solution="a", seed=0,
            here=Side.of(here, LEADERBOARD, "It is empty."), kaggle=Side.of(there, LEADERBOARD, "It was refused."),
        )
        for number, (here, there) in enumerate(scores)
    ]  # fmt: skip
    pairs += [Pair(run_id=f"u{number}", competition="u", solution="a", seed=number) for number in range(ungraded)]
    return AlignmentRecord(mlebench_version="1", pairs=tuple(pairs), agreement=measure_agreement(pairs))


@pytest.mark.parametrize(
    ("record", "words"),
    [
        (make_record(), "No pair has a score on both sides"),
        (make_record(ungraded=2), "2 of 2 are not graded by Kaggle yet."),
        (make_record((None, GOLD)), "c0_a_seed-0 has no score here: It is empty."),
        (make_record((GOLD, None)), "c0_a_seed-0 has no score on Kaggle: It was refused."),
        (make_record((GOLD, GOLD)), "Over 1 pair, percentiles here are +0.0 points from Kaggle's."),
        (make_record((GOLD, GOLD), (BELOW, SILVER)), "Medals: 1 here and 2 on Kaggle; the same in 50 % of pairs"),
    ],
)
def test_the_findings_say_what_is_missing_and_what_agrees(record: AlignmentRecord, words: str) -> None:
    assert any(words in sentence for sentence in describe_findings(record))


def test_one_pair_has_no_correlation() -> None:
    assert not any("correlation" in sentence for sentence in describe_findings(make_record((GOLD, GOLD))))


def test_a_side_without_a_score_has_dashes_and_no_medal_is_said_to_be_none() -> None:
    (row,) = pair_table(make_record((BELOW, None))).cells
    assert [cell.text for cell in row[3:]] == ["0.4", "40.0", "none", "–", "–", "–"]
