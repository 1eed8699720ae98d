"""GPUs are found by the numbers of the driver."""

from __future__ import annotations

import pytest

from mlebench.errors import SandboxUnavailableError
from mlebench.sandbox import gpus


@pytest.fixture
def driver(tmp_path):
    """A machine with two GPUs, as the driver shows them."""
    for number, bus in enumerate(("0000:17:00.0", "0000:65:00.0")):
        (tmp_path / bus).mkdir()
        facts = f"Model: \t\t A100\nGPU UUID: \t GPU-{number}{number}\nDevice Minor: \t {1 - number}\n"
        (tmp_path / bus / "information").write_text(facts)
    return tmp_path


def test_gpus_are_found_by_number(driver):
    gpus.require_gpus((0, 1), driver)
    with pytest.raises(SandboxUnavailableError, match="it has 2"):
        gpus.require_gpus((2,), driver)
    assert gpus.visible_devices((1,), driver) == "GPU-11"
    assert gpus.visible_devices(None, driver) == ""
    assert [path.name for path in gpus.device_files((1,), driver)][:2] == ["nvidia0", "nvidiactl"]


def test_a_missing_gpu_is_refused_with_one_short_message(bench, sandbox, is_short_message):
    missing = len(gpus.list_gpus()) + 1
    with pytest.raises(SandboxUnavailableError) as refusal:
        bench(sandbox, "true", gpus=(missing,))
    assert is_short_message(str(refusal.value))
    assert f"GPU {missing}" in str(refusal.value)
