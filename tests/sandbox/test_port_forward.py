"""The addresses of port forwards."""

from __future__ import annotations

from pathlib import Path

import pytest

from mlebench.sandbox.port_forward import PortForward


@pytest.mark.parametrize(("port", "expected"), [(None, 4000), (39999, 39999)])
def test_each_variable_has_the_address_with_its_own_path(port, expected):
    forward = PortForward(4000, Path("/s"), {"A": "", "B": "/v1"})
    assert forward.environment(port) == {"A": f"http://localhost:{expected}", "B": f"http://localhost:{expected}/v1"}
