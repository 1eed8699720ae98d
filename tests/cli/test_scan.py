from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from mlebench.cli.main import app


@pytest.fixture
def scan(prepared, ship):
    def run(label, *options):
        competition = prepared(label)
        folder = competition.prepared_dir.parents[1]
        return CliRunner().invoke(app, ["dev", "scan", label, "--data-dir", str(folder), *options])

    return run


def test_findings_end_with_exit_code_1_and_say_what_to_do(scan, tmp_path):
    result = scan("whale-categorization-playground", "--only", "copies", "--out", str(tmp_path / "scan.html"))
    assert result.exit_code == 1
    assert "in test/ have a copy in train/." in result.stdout
    assert "Leave what equals a test item out of the other public files" in result.stdout
    assert (tmp_path / "scan.html").read_text().startswith("<!DOCTYPE html>")


def test_no_findings_end_with_exit_code_0(scan):
    result = scan("spaceship-titanic", "--only", "copies", "--only", "order")
    assert result.exit_code == 0
    assert "0 findings and 0 accepted, by 2 scanners on 30 test items (rehearsal data)." in result.stdout


def test_json_holds_the_report(scan):
    result = scan("spaceship-titanic", "--only", "power", "--json")
    report = json.loads(result.stdout)
    assert report["findings"] == []
    assert "Rehearsal data" in report["scanners"][0]["skipped"]
