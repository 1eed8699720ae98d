"""The file that warns a job that its time is nearly up."""

from __future__ import annotations

from mlebench.sandbox.ending import Reason
from mlebench.sandbox.time_warning import TIME_WARNING_FILE, write_time_warning


def test_the_file_appears_before_the_end_of_the_time(bench, sandbox):
    script = f'until [ -f "$LOGS_DIR/{TIME_WARNING_FILE}" ]; do sleep 0.05; done; cat "$LOGS_DIR/{TIME_WARNING_FILE}"'
    result = bench(sandbox, "sh", "-c", script, seconds=100, warning=99.5)
    assert result.ending.reason is Reason.FINISHED
    assert "seconds are left" in result.log
    (event,) = result.events.of("warning")
    assert event["written"] and 50 < event["seconds"] <= 99.5


def test_there_is_no_warning_if_none_is_wanted(bench, sandbox):
    result = bench(sandbox, "sleep", "0.5", seconds=100, warning=0)
    assert not result.events.of("warning")


def test_the_file_follows_no_link_and_replaces_nothing(tmp_path):
    (tmp_path / "logs").mkdir()
    (tmp_path / "secret").write_text("mine")
    (tmp_path / "logs" / TIME_WARNING_FILE).symlink_to(tmp_path / "secret")
    assert not write_time_warning(tmp_path, 60, 1)
    (tmp_path / "logs" / TIME_WARNING_FILE).unlink()
    (tmp_path / "logs").rmdir()
    (tmp_path / "logs").symlink_to(tmp_path)
    assert not write_time_warning(tmp_path, 60, 1)
    assert not (tmp_path / TIME_WARNING_FILE).exists()
    assert (tmp_path / "secret").read_text() == "mine"
