from __future__ import annotations

import json


def test_validate_prints_the_answer_and_exits_with_it(mlebench, ship, data_of, tmp_path):
    good = mlebench("validate", ship.sample_submission, "spaceship-titanic", "--data-dir", data_of(ship))
    assert (good.returncode, good.stdout) == (0, "Submission is valid.\n")
    (tmp_path / "bad.csv").write_text("a\n1\n")
    bad = mlebench("validate", "bad.csv", "spaceship-titanic", "--data-dir", data_of(ship), "--json")
    assert bad.returncode == 1
    assert json.loads(bad.stdout)["valid"] is False
