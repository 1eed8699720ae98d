"""What a rehearsal leaves tells whether the agent finished by itself."""

from __future__ import annotations

import pytest

from mlebench.agents.registry import get_agent
from mlebench.authoring.agent.rehearsal import Rehearsal
from mlebench.runs.record import RunRecord
from mlebench.sandbox.ending import Ending, Reason


@pytest.mark.parametrize("ending", [None, Ending(Reason.FINISHED, 0, 1.0), Ending(Reason.TIME, None, 1.0)])
def test_a_rehearsal_without_a_verdict_is_neither_graded_nor_clean(tmp_path, ending):
    run = RunRecord(run_id="r", competition_id="demo-wine", version="v2", agent="dummy", seed=0, ending=ending)
    rehearsal = Rehearsal(get_agent("dummy"), run, tmp_path, frozenset(), (), "")
    assert not rehearsal.is_graded
    assert not rehearsal.is_clean


def test_output_that_is_not_utf8_can_be_read(tmp_path):
    (tmp_path / "run.log").write_bytes(b"caf\xe9\n")
    run = RunRecord(run_id="r", competition_id="demo-wine", version="v2", agent="dummy", seed=0)
    assert Rehearsal(get_agent("dummy"), run, tmp_path, frozenset(), (), "").stdout == "caf\ufffd\n"
