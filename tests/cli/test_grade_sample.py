from __future__ import annotations

import json
import re


def test_grade_sample_prints_one_flat_object_and_no_other_braces(mlebench, ship, data_of, tmp_path):
    bad = tmp_path / "bad{}.csv"
    bad.write_text("PassengerId,{x}\n1,{2}\n")
    result = mlebench("grade-sample", bad, "spaceship-titanic", "--data-dir", data_of(ship))
    assert result.returncode == 0
    assert set("{}") & set(result.stderr) == set()
    assert result.stdout.count("{") - result.stdout.count("bad{}") == 1
    report = json.loads(result.stdout)
    assert report["score"] is None
    assert report["submission_exists"] is True
    assert re.search(r"Invalid submission:\s*Submission is missing the following", result.stderr)


def test_grade_sample_of_a_missing_file_succeeds(mlebench, ship, data_of):
    result = mlebench("grade-sample", "nothing.csv", "spaceship-titanic", "--data-dir", data_of(ship))
    assert result.returncode == 0
    assert json.loads(result.stdout)["submission_exists"] is False


def objects_that_clients_find(result):
    """Yield the report as each known client finds it: in both streams together, or in one after the other."""
    both = result.stderr + result.stdout
    yield both[both.index("{") : both.rindex("}") + 1]
    yield (re.search(r"\{.*?\}", result.stdout, re.DOTALL) or re.search(r"\{.*?\}", result.stderr, re.DOTALL)).group()
    yield [found for found in re.findall(r"\{.*?\}", both, re.DOTALL) if "competition_id" in found][-1]
    yield re.search(r"\{.*?\}", result.stdout + result.stderr, re.DOTALL).group()


def test_every_way_of_looking_for_a_report_finds_it(mlebench, prepared, data_of, tmp_path):
    patents = prepared("us-patent-phrase-to-phrase-matching")
    (tmp_path / "constant.csv").write_bytes(
        re.sub(rb",[^,\n]+$", b",0.5", patents.sample_submission.read_bytes(), flags=re.MULTILINE).replace(
            b",0.5", b",score", 1
        )
    )
    (tmp_path / "refused.csv").write_text("id,{score}\n1,2\n")
    for name, score in (("constant.csv", "nan"), ("refused.csv", "None"), ("nothing.csv", "None")):
        result = mlebench("grade-sample", name, patents.id, "--data-dir", data_of(patents), FORCE_COLOR="1")
        assert result.returncode == 0, result.stderr
        assert "\x1b" not in result.stdout + result.stderr
        for text in objects_that_clients_find(result):
            report = json.loads(text)
            assert report["competition_id"] == patents.id
            assert str(report["score"]) == score
            assert not any(isinstance(value, dict | list) for value in report.values())
            assert report["valid_submission"] is (name == "constant.csv")
