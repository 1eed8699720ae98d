"""Reports of the first process are single lines."""

from __future__ import annotations

import json

import pytest

from mlebench.sandbox.entrypoint import protocol


@pytest.mark.parametrize(
    ("report", "fields"),
    [
        (protocol.report_waiting(), {"waiting": True}),
        (protocol.report_ready([]), {"ready": True, "ports": []}),
        (protocol.report_ready([5000, 80]), {"ready": True, "ports": [5000, 80]}),
        (protocol.report_ended(0, kills=0, refused=3), {"ended": 0, "kills": 0, "refused": 3}),
    ],
)
def test_a_report_is_one_line_of_json(report, fields):
    assert report.endswith(b"\n")
    assert report.count(b"\n") == 1
    assert json.loads(report) == fields
