"""Calls of the command line in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.fixture
def mlebench(tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """A function that runs `mlebench ARGS` in an empty folder, without standard input."""

    def call(*args: object, timeout: float = 300, **environment: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "mlebench", *map(str, args)],
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
            cwd=tmp_path,
            env={**os.environ, "XDG_CACHE_HOME": str(tmp_path / "cache"), **environment},
            timeout=timeout,
            check=False,
        )

    return call


@pytest.fixture
def data_of() -> Callable[[Any], Path]:
    """A function that returns the data folder of a prepared competition."""
    return lambda competition: competition.prepared_dir.parents[1]
