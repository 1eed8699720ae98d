"""Exit codes, output streams and formats of the command line stay as other programs need them."""

import json
import re

import pytest

from mlebench.grading.reports import CompetitionReport


def test_without_arguments_it_prints_help(mlebench):
    result = mlebench()
    assert result.returncode == 0
    assert "grade-sample" in result.stdout


@pytest.mark.parametrize("args", [("--help",), ("run", "--help"), ("agent", "list", "--help"), ("--version",)])
def test_help_and_version_succeed(mlebench, args):
    assert mlebench(*args).returncode == 0


def test_help_imports_nothing_heavy(mlebench):
    result = mlebench("--help", PYTHONPROFILEIMPORTTIME="1")
    heavy = re.findall(r"\| +(numpy|pandas|sklearn|scipy|pydantic|socket|http\.client|PIL)\n", result.stderr)
    assert heavy == []


@pytest.mark.parametrize(
    ("args", "code", "words"),
    [
        (("frobnicate",), 2, "frobnicate"),
        (("prepare",), 2, "Select competitions"),
        (("prepare", "--all", "--lite"), 2, "in one way"),
        (("prepare", "-c", "spaceship-titanic"), 1, "--rehearsal"),
        (("prepare", "-c", "spaceship-titanik", "--rehearsal"), 1, "did you mean 'spaceship-titanic'?"),
        (("prepare", "-c", "spaceship-titanic@v7", "--rehearsal"), 1, "named 'v7'; did you mean 'v"),
        (("prepare", "-c", "leaf-classification@v2", "--rehearsal"), 1, "v2"),
        (("prepare", "-c", "spaceship-titanic", "--raw", "/nowhere"), 1, "no raw data"),
        (("prepare", "-l", "/nowhere"), 2, "cannot be read"),
        (("prepare", "-c", "demo-wine", "--data-dir", __file__), 3, f"Cannot use {__file__}/demo-wine"),
        (("show", "nothing-like-it"), 1, "There is no competition named"),
        (("run", "--agent", "dummy", "-c", "demo-wine", "--network", "opne"), 1, "did you mean 'open'"),
        (("run", "--agent", "dummy", "-c", "demo-wine", "--network", "open", "--sandbox", "bubblewrap"), 2, "podman"),
        (("list", "--split", "hihg"), 1, "did you mean 'high'?"),
        (("grade-sample", "x.csv", "spaceship-titanic"), 1, "not prepared"),
        (("grade", "--submission", "/nowhere.jsonl", "--output-dir", "out"), 2, "There is no file"),
        (("grade", "--submission", "x"), 2, "output-dir"),
        (("dev", "download-leaderboard"), 2, "in one way"),
        (("dev", "download-leaderboard", "-c", "spaceship-titanik"), 1, "did you mean"),
        (("run", "--agent", "dumy", "--split", "demo"), 1, "did you mean 'dummy'?"),
        (("run", "--agent", "dummy", "-c", "spaceship-titanic"), 1, "--rehearsal"),
        (("run", "--agent", "dummy", "--split", "demo", "--sandbox", "bublewrap"), 1, "'bubblewrap'"),
        (("run", "--agent", "dummy", "--split", "demo", "--time-limit", "soon"), 2, "A duration"),
        (("run", "--agent", "dummy", "--split", "demo", "--group", "../x"), 2, "group's name"),
        (("run", "--agent", "./nowhere", "--split", "demo"), 2, "agent.yaml"),
        (("report", "nothing"), 1, "nothing"),
        (("schema", "nothing"), 1, "file format"),
    ],
)
def test_wrong_calls_end_with_one_sentence_and_the_right_code(mlebench, args, code, words):
    result = mlebench(*args)
    assert result.returncode == code, result.stderr
    assert words in re.sub(r"[\s│]+", " ", result.stderr)
    assert "Traceback" not in result.stderr
    assert result.stdout == ""


@pytest.mark.parametrize("args", [("list",), ("show", "leaf-classification"), ("agent", "list"), ("doctor",)])
def test_json_goes_to_standard_output_alone(mlebench, args):
    result = mlebench(*args, "--json")
    assert result.returncode in (0, 3)
    json.loads(result.stdout)


@pytest.mark.parametrize("name", ["agent", "alignment", "competition", "group", "manifest", "report", "run", "verdict"])
def test_every_file_format_has_a_schema(mlebench, name):
    assert json.loads(mlebench("schema", name).stdout)["type"] == "object"


def test_redirected_output_has_no_colours(mlebench):
    for environment in ({"NO_COLOR": "1", "TERM": "xterm-256color"}, {}):
        assert "\x1b" not in mlebench("show", "spaceship-titanic", **environment).stdout


@pytest.mark.slow("programs")
def test_prepare_rehearsal_then_grade_the_sample(mlebench, tmp_path):
    data = tmp_path / "data"
    prepared = mlebench("prepare", "--competition", "spaceship-titanic", "--rehearsal", "--data-dir", data, "--json")
    assert prepared.returncode == 0, prepared.stderr
    assert json.loads(prepared.stdout)[0]["source"] == "rehearsal"
    sample = data / "spaceship-titanic" / "prepared" / "public" / "sample_submission.csv"
    result = mlebench("grade-sample", sample, "spaceship-titanic", "--data-dir", data)
    assert result.returncode == 0
    assert "Competition report:" in result.stderr
    report = json.loads(result.stdout)
    fields = list(CompetitionReport.__dataclass_fields__)
    assert list(report)[: len(fields)] == fields
    assert report["valid_submission"] is True
    assert report["data"] == "rehearsal"
    assert report["version"] == "v1"


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


def test_bundled_leaderboards_are_found_and_force_changes_nothing(mlebench):
    for args in (("-c", "spaceship-titanic"), ("--competition", "spaceship-titanic", "--force"), ("--all",)):
        result = mlebench("dev", "download-leaderboard", *args)
        assert result.returncode == 0, result.stderr
        assert any("spaceship_titanic" in line for line in result.stdout.splitlines())


def test_exporting_a_tree_lists_its_files_and_refuses_to_overwrite(mlebench, tmp_path):
    done = mlebench("export", "reference-tree", "tree", "--json")
    assert done.returncode == 0, done.stderr
    assert len(json.loads(done.stdout)["competitions"]) == 82
    assert (tmp_path / "tree" / "mlebench" / "competitions" / "leaf-classification" / "config.yaml").is_file()
    again = mlebench("export", "reference-tree", "tree")
    assert (again.returncode, again.stdout) == (2, "")
    assert re.fullmatch(r"mlebench: .*/tree exists already; .*\.\n", again.stderr)


def test_grade_writes_a_report_with_totals_and_rows_in_order(mlebench, ship, data_of, tmp_path):
    rows = [
        {"competition_id": "spaceship-titanic", "submission_path": str(ship.sample_submission), "logs_path": "x"},
        {"competition_id": "spaceship-titanic", "submission_path": None},
    ]
    listing = tmp_path / "submission.jsonl"
    listing.write_text("# seeds\n\n// and so on\n" + "".join(json.dumps(row) + "\n" for row in rows))
    result = mlebench("grade", "--submission", listing, "--output-dir", "reports", "--data-dir", data_of(ship))
    assert result.returncode == 0, result.stderr
    (path,) = (tmp_path / "reports").iterdir()
    assert path.name.endswith("_grading_report.json")
    assert result.stderr.splitlines()[-1] == f"Saved summary report to reports/{path.name}"
    report = json.loads(path.read_text())
    assert list(report) == [
        "total_runs",
        "total_runs_with_submissions",
        "total_valid_submissions",
        "total_medals",
        "total_gold_medals",
        "total_silver_medals",
        "total_bronze_medals",
        "total_above_median",
        "competition_reports",
    ]
    assert (report["total_runs"], report["total_runs_with_submissions"], report["total_valid_submissions"]) == (2, 1, 1)
    assert [row["submission_exists"] for row in report["competition_reports"]] == [True, False]


@pytest.mark.parametrize("content", ["not json\n", '{"submission_path": "x"}\n', "[1]\n", '"x"\n', "\udcff\n"])
def test_grade_refuses_a_broken_list_before_grading(mlebench, ship, data_of, tmp_path, content):
    listing = tmp_path / "submission.jsonl"
    listing.write_bytes(content.encode(errors="surrogateescape"))
    result = mlebench("grade", "--submission", listing, "--output-dir", "reports", "--data-dir", data_of(ship))
    assert result.returncode == 2
    assert "Traceback" not in result.stderr
    assert not (tmp_path / "reports").exists()


def test_validate_prints_the_answer_and_exits_with_it(mlebench, ship, data_of, tmp_path):
    good = mlebench("validate", ship.sample_submission, "spaceship-titanic", "--data-dir", data_of(ship))
    assert (good.returncode, good.stdout) == (0, "Submission is valid.\n")
    (tmp_path / "bad.csv").write_text("a\n1\n")
    bad = mlebench("validate", "bad.csv", "spaceship-titanic", "--data-dir", data_of(ship), "--json")
    assert bad.returncode == 1
    assert json.loads(bad.stdout)["valid"] is False


@pytest.mark.slow("programs")
def test_a_custom_folder_of_competitions_is_found(mlebench, ship, tmp_path):
    import shutil

    own = tmp_path / "own" / "my-task"
    shutil.copytree(ship.folder, own)
    declaration = own / "competition.yaml"
    declaration.write_text(declaration.read_text().replace("id: spaceship-titanic", "id: my-task"))
    result = mlebench("prepare", "-c", "my-task", "--rehearsal", "--folder", tmp_path / "own")
    assert result.returncode == 0, result.stderr


@pytest.mark.slow("programs")
def test_a_reader_that_closes_the_pipe_causes_no_traceback(mlebench, tmp_path):
    import subprocess
    import sys

    for words in ("schema competition", "list"):
        script = f"sh -c '{sys.executable} -m mlebench {words}; echo $? >&2' | true"
        result = subprocess.run(script, shell=True, capture_output=True, text=True, cwd=tmp_path, check=False)
        assert result.stderr == "141\n"
