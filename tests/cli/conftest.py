"""Calls of the command line, in a process of its own or in this one."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest
from typer.testing import CliRunner

from mlebench.cli.main import app

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from click.testing import Result


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


@pytest.fixture
def invoke(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    """A function that runs `mlebench ARGS` in this process, in an empty folder; it is quicker than `mlebench`."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return lambda *args: CliRunner().invoke(app, [*map(str, args)])
