"""Ends that come from outside: warnings before the time is up, orders, and GPUs that are not there."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

import pytest

from mlebench.errors import SandboxUnavailableError
from mlebench.sandbox import gpus
from mlebench.sandbox.container import ContainerSandbox
from mlebench.sandbox.ending import Reason
from mlebench.sandbox.limits import Limits
from mlebench.sandbox.note import leave_note
from mlebench.sandbox.orders import Orders
from mlebench.sandbox.plan import NOTE

if TYPE_CHECKING:
    from mlebench.sandbox.orders import Order

    from .conftest import Bench

WAIT = "touch up; while :; do sleep 0.05; done"
ON_TERM = f"trap 'echo saved > \"$SUBMISSION_DIR/submission.csv\"; exit 0' TERM; {WAIT}"


class GivenWhenUp(Orders):
    """An order that is given as soon as the job that runs next has made a file `up`."""

    def __init__(self, bench: Bench, *order: Any) -> None:
        super().__init__()
        self._up = bench.folder / f"run-{bench.number + 1}/home/agent/up"
        self._waiting = order

    @property
    def order(self) -> Order | None:
        if self._up.exists():
            self.give(*self._waiting)
        return super().order


def test_budget_ends_a_job_as_the_time_limit_does(bench, sandbox):
    orders = GivenWhenUp(bench, Reason.BUDGET, "The 3 USD for models are spent.")
    result = bench(sandbox, "sh", "-c", ON_TERM, orders=orders, grace=20)
    assert (result.ending.reason, result.ending.exit_code) == (Reason.BUDGET, 0)
    assert result.ending.detail == "The 3 USD for models are spent."
    assert (result.home / "submission/submission.csv").read_text() == "saved\n"


def test_who_ignores_an_empty_budget_is_killed(bench, sandbox):
    orders = GivenWhenUp(bench, Reason.BUDGET)
    result = bench(sandbox, "sh", "-c", f"trap '' TERM; {WAIT}", orders=orders, grace=0.2)
    assert (result.ending.reason, result.ending.exit_code) == (Reason.BUDGET, None)


def test_an_order_that_comes_before_the_job_has_started(bench, sandbox):
    """It waits until there is somebody to ask, who may end well."""
    orders = Orders()
    orders.give(Reason.BUDGET, "The 3 USD for models are spent.")
    result = bench(sandbox, "sh", "-c", WAIT, orders=orders, grace=20)
    assert (result.ending.reason, result.ending.exit_code) == (Reason.BUDGET, 143)


def test_orders():
    above = Orders()
    below = Orders(above)
    assert below.order is None and not below.wait(0)
    below.give(Reason.BUDGET, "spent")
    below.give(Reason.BUDGET, "again")
    assert (below.order.sentence, above.order, below.stopped) == ("spent", None, False)
    threading.Timer(0.05, above.give, (Reason.STOPPED,)).start()
    assert Orders(above).wait(10)
    assert above.stopped and below.stopped
    with pytest.raises(ValueError, match="finished"):
        above.give(Reason.FINISHED)


def test_note_before_the_end(bench, sandbox):
    script = f'until [ -f "$LOGS_DIR/{NOTE}" ]; do sleep 0.05; done; cat "$LOGS_DIR/{NOTE}"'
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
    (tmp_path / "logs" / NOTE).symlink_to(tmp_path / "secret")
    assert not leave_note(tmp_path, 60, 1)
    (tmp_path / "logs" / NOTE).unlink()
    (tmp_path / "logs").rmdir()
    (tmp_path / "logs").symlink_to(tmp_path)
    assert not leave_note(tmp_path, 60, 1)
    assert not (tmp_path / NOTE).exists()
    assert (tmp_path / "secret").read_text() == "mine"


def test_a_gpu_that_is_not_there_is_refused(bench, sandbox, is_one_sentence):
    missing = len(gpus.list_gpus()) + 1
    with pytest.raises(SandboxUnavailableError) as refusal:
        bench(sandbox, "true", gpus=(missing,))
    assert is_one_sentence(str(refusal.value))
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
    gpus.require((0, 1), driver)
    with pytest.raises(SandboxUnavailableError, match="has 2"):
        gpus.require((2,), driver)
    assert gpus.variable((1,), driver) == "GPU-11"
    assert gpus.variable(None, driver) == ""
    assert [path.name for path in gpus.device_files((1,), driver)][:2] == ["nvidia0", "nvidiactl"]


def test_gpus_of_containers():
    assert ContainerSandbox("docker")._gpu_words((0, 2)) == ("--gpus", '"device=0,2"')
    assert ContainerSandbox("podman")._gpu_words((0, 2)) == (
        *("--device", "nvidia.com/gpu=0"),
        *("--device", "nvidia.com/gpu=2"),
    )
    assert ContainerSandbox("docker")._gpu_words(None) == ()
