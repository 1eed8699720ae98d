from __future__ import annotations

import re

import pytest


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
        (("prepare", "-c", "demo-wine@v2", "--rehearsal"), 1, "v2"),
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
