import json

from mlebench.runs.record import RunRecord
from mlebench.runs.results import list_submissions, make_grading_report
from mlebench.tasks.ref import Version


def test_a_run_without_files_has_a_line_and_no_row(tmp_path):
    run = RunRecord(run_id="r", competition_id="demo-wine", version=Version.V2, agent="a", seed=0)
    (tmp_path / "r").mkdir()
    (tmp_path / "r" / "run.log").touch()
    expected = {"competition_id": "demo-wine@v2", "submission_path": None, "logs_path": f"{tmp_path}/r/run.log"}
    assert json.loads(list_submissions(tmp_path, [run])) == expected
    assert json.loads(make_grading_report([run]))["total_runs"] == 0
