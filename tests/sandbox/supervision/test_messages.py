"""The harness understands what the entrypoint and bubblewrap report."""

from __future__ import annotations

import pytest

from mlebench.sandbox.entrypoint import protocol
from mlebench.sandbox.supervision.messages import Ended, NamespaceStarted, Ready, parse_message


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (protocol.report_ready([5000, 4000]), Ready((5000, 4000))),
        (protocol.report_ended(137, kills=2, refused=1), Ended(137, kills=2, refused=1)),
        (b'{ "child-pid": 42, "net-namespace": 4026532000 }', NamespaceStarted(42)),
        (b'{ "exit-code": 0 }', None),
    ],
)
def test_each_report_becomes_a_message(line, message):
    assert parse_message(line) == message
