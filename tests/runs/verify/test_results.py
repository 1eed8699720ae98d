"""The results of a group are what the records of its runs say."""

from __future__ import annotations

import hashlib
import json
import os

import pytest

from mlebench.runs.verify import verify

LIST, REPORT = "submission.jsonl", "grading_report.json"


def record_digests(group):
    """Write the digests of the results into the record of the group."""
    digests = {name: hashlib.sha256((group / name).read_bytes()).hexdigest() for name in (LIST, REPORT)}
    group.change_record("metadata.json", lambda record: record.update(results=digests))
    group.forge("group.jsonl", lambda entry: entry.update(files=digests) if entry["kind"] == "results" else None)


def better(group):
    group.edit(REPORT, '"any_medal": false', '"any_medal": true', count=1)


def drop_row(group):
    report = json.loads((group / REPORT).read_text())
    row = report["competition_reports"].pop()
    report["total_runs"] -= 1
    report["total_runs_with_submissions"] -= row["submission_exists"]
    (group / REPORT).write_text(json.dumps(report, indent=2) + "\n")


TAMPERINGS = {
    "a false report": (better, REPORT),
    "a report with a row less": (drop_row, REPORT),
    "no report": (lambda g: g.remove(REPORT), REPORT),
    "an empty report": (lambda g: (g / REPORT).write_text(""), REPORT),
    "a report with other white space": (lambda g: g.edit(REPORT, "\n", "\n\n", count=1), REPORT),
    "a report that is a link": (lambda g: (g.copy(REPORT, "../r"), g.replace_by_link(REPORT, "../r")), REPORT),
    "a report that is a pipe": (lambda g: (g.remove(REPORT), os.mkfifo(g / REPORT)), REPORT),
    "a report with brackets without end": (lambda g: (g / REPORT).write_text("[" * 10**6), REPORT),
    "a report that is not text": (lambda g: (g / REPORT).write_bytes(b"\xff"), REPORT),
    "no list": (lambda g: g.remove(LIST), LIST),
    "a list with a line less": (lambda g: g.cut(LIST, 1), LIST),
    "a list with another submission": (lambda g: g.edit(LIST, "demo-wine_good_seed-0", "demo-wine_good_seed-1"), LIST),
    "a list with a submission elsewhere": (lambda g: g.edit(LIST, "/submission.csv", "/../submission.csv"), LIST),
    "a list with one run elsewhere": (lambda g: g.edit(LIST, '"/', '"/x/', count=1), LIST),
    "a list without a submission": (
        lambda g: g.forge_line(LIST, 0, lambda line: line.update(submission_path=None)),
        LIST,
    ),
    "a list with brackets without end": (lambda g: (g / LIST).write_text("[" * 10**6), LIST),
}


@pytest.mark.parametrize("name", TAMPERINGS)
def test_results_that_were_changed_are_found(group, places, name):
    tamper, place = TAMPERINGS[name]
    tamper(group)
    assert place in places(group)


WITH_DIGESTS = [name for name in TAMPERINGS if not name.startswith("no ") and "link" not in name and "pipe" not in name]


@pytest.mark.parametrize("name", WITH_DIGESTS)
def test_results_are_computed_again_whatever_digests_are_on_record(group, places, name):
    tamper, place = TAMPERINGS[name]
    tamper(group)
    record_digests(group)
    assert place in places(group)


def test_results_of_a_group_that_was_moved_name_its_former_place(group):
    assert verify(group) == []
    assert str(group) not in (group / LIST).read_text()
    group.edit(LIST, '"/', '"/mnt/')  # another place is possible, but its digest is on record
    assert [found.path for found in verify(group)] == [LIST]
    record_digests(group)
    assert verify(group) == []


def test_results_of_a_closed_group_are_not_written_again(closed_group, places):
    closed_group.edit(
        LIST,
        json.loads((closed_group / LIST).read_text().split("\n")[0])["logs_path"].split("/demo")[0],
        str(closed_group),
    )
    assert places(closed_group) == [LIST]
    (closed_group / ".lock").write_text("")
    assert places(closed_group) == []  # as if the harness was killed after it continued the group in this place
