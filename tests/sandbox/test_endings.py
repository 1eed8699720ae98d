"""A job is warned before its time is up, ends on a stop request, and starts only with GPUs that exist."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import pytest

from mlebench.errors import SandboxUnavailableError
from mlebench.sandbox import gpus
from mlebench.sandbox.container_options import gpu_options
from mlebench.sandbox.ending import Reason
from mlebench.sandbox.limits import Limits
from mlebench.sandbox.stop import StopSignal
from mlebench.sandbox.time_warning import TIME_WARNING_FILE, write_time_warning

if TYPE_CHECKING:
    from mlebench.sandbox.stop import StopRequest

    from .conftest import Bench

WAIT = "touch up; while :; do sleep 0.05; done"
ON_TERM = f"trap 'echo saved > \"$SUBMISSION_DIR/submission.csv\"; exit 0' TERM; {WAIT}"


class RequestedWhenUp(StopSignal):
    """Receives a request as soon as the job that runs next has created a file `up`."""

    def __init__(self, bench: Bench, reason: Reason, message: str = "") -> None:
        super().__init__()
        self._up = bench.folder / f"run-{bench.number + 1}/home/agent/up"
        self._reason, self._message = reason, message

    @property
    def requested(self) -> StopRequest | None:
        if self._up.exists():
            self.request(self._reason, self._message)
        return super().requested


def test_budget_ends_a_job_as_the_time_limit_does(bench, sandbox):
    stop = RequestedWhenUp(bench, Reason.BUDGET, "The 3 USD for models are spent.")
    result = bench(sandbox, "sh", "-c", ON_TERM, stop=stop, grace=20)
    assert (result.ending.reason, result.ending.exit_code) == (Reason.BUDGET, 0)
    assert result.ending.detail == "The 3 USD for models are spent."
    assert (result.home / "submission/submission.csv").read_text() == "saved\n"


def test_who_ignores_an_empty_budget_is_killed(bench, sandbox):
    stop = RequestedWhenUp(bench, Reason.BUDGET)
    result = bench(sandbox, "sh", "-c", f"trap '' TERM; {WAIT}", stop=stop, grace=0.2)
    assert (result.ending.reason, result.ending.exit_code) == (Reason.BUDGET, None)


def test_a_stop_request_before_the_start_of_the_job_waits_for_the_start(bench, sandbox):
    stop = StopSignal()
    stop.request(Reason.BUDGET, "The 3 USD for models are spent.")
    result = bench(sandbox, "sh", "-c", WAIT, stop=stop, grace=20)
    assert (result.ending.reason, result.ending.exit_code) == (Reason.BUDGET, 143)


def test_stop_requests_reach_children_and_stopped_overrides_budget():
    parent = StopSignal()
    child = StopSignal(parent)
    assert child.requested is None and not child.wait(0)
    child.request(Reason.BUDGET, "spent")
    child.request(Reason.BUDGET, "again")
    assert (child.requested.message, parent.requested, child.is_immediate) == ("spent", None, False)
    threading.Timer(0.05, parent.request, (Reason.STOPPED,)).start()
    assert StopSignal(parent).wait(10)
    assert parent.is_immediate and child.is_immediate
    with pytest.raises(ValueError, match="finished"):
        parent.request(Reason.FINISHED)


def test_note_before_the_end(bench, sandbox):
    script = f'until [ -f "$LOGS_DIR/{TIME_WARNING_FILE}" ]; do sleep 0.05; done; cat "$LOGS_DIR/{TIME_WARNING_FILE}"'
    result = bench(sandbox, "sh", "-c", script, seconds=20, warning=19.5)
    assert result.ending.reason is Reason.FINISHED
    assert "seconds are left" in result.log
    (event,) = result.events.of("warning")
    assert event["written"] and 15 < event["seconds"] <= 19.5


def test_no_note_where_none_is_wanted(bench, sandbox):
    result = bench(sandbox, "sleep", "0.5", seconds=20, warning=0)
    assert not result.events.of("warning")


@pytest.mark.parametrize(
    ("seconds", "expected"), [(86400, 900), (7200, 360), (600, 60), (60, 30)], ids=["day", "2h", "10m", "1m"]
)
def test_when_the_note_comes(seconds, expected):
    assert Limits(seconds=seconds).warning_seconds == expected


def test_note_follows_no_link_and_replaces_nothing(tmp_path):
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


def test_a_gpu_that_is_not_there_is_refused(bench, sandbox, is_short_message):
    missing = len(gpus.list_gpus()) + 1
    with pytest.raises(SandboxUnavailableError) as refusal:
        bench(sandbox, "true", gpus=(missing,))
    assert is_short_message(str(refusal.value))
    assert f"GPU {missing}" in str(refusal.value)


@pytest.fixture
def driver(tmp_path):
    """A machine with two GPUs, as the driver shows them."""
    for number, bus in enumerate(("0000:17:00.0", "0000:65:00.0")):
        (tmp_path / bus).mkdir()
        facts = f"Model: \t\t A100\nGPU UUID: \t GPU-{number}{number}\nDevice Minor: \t {1 - number}\n"
        (tmp_path / bus / "information").write_text(facts)
    return tmp_path


def test_gpus_by_number(driver):
    gpus.require_gpus((0, 1), driver)
    with pytest.raises(SandboxUnavailableError, match="it has 2"):
        gpus.require_gpus((2,), driver)
    assert gpus.visible_devices((1,), driver) == "GPU-11"
    assert gpus.visible_devices(None, driver) == ""
    assert [path.name for path in gpus.device_files((1,), driver)][:2] == ["nvidia0", "nvidiactl"]


def test_gpus_of_containers():
    assert gpu_options("docker", (0, 2)) == ("--gpus", '"device=0,2"')
    assert gpu_options("podman", (0, 2)) == (
        *("--device", "nvidia.com/gpu=0"),
        *("--device", "nvidia.com/gpu=2"),
    )
    assert gpu_options("docker", None) == ()
