"""One command prepares every competition from rehearsal data, runs it in a sandbox and grades it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from mlebench.sandbox import get_sandbox
from mlebench.tasks.registry import registry

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.mark.slow("runs")
@pytest.mark.parametrize("version", ["v1", "v2"])
def test_the_sample_submission_of_every_competition_is_valid(
    version: str, tmp_path: Path, require: Callable[[str | None], None]
) -> None:
    require(get_sandbox("bubblewrap").probe())
    ids = tmp_path / "ids.txt"
    ids.write_text("\n".join([*registry.get_split("all"), *registry.get_split("dev")]))
    command = [sys.executable, "-m", "mlebench", "run", "--agent", "dummy", "--list", str(ids), "--rehearsal"]
    command += ["--task-version", version]
    command += ["--seeds", "1", "--sandbox", "bubblewrap", "--group", "everything", "--json"]
    command += ["--data-dir", str(tmp_path / "data"), "--runs-dir", str(tmp_path / "runs")]
    result = subprocess.run(command, capture_output=True, text=True, timeout=580, env=os.environ | {"NO_COLOR": "1"})
    assert result.returncode == 0, result.stderr
    (agent,) = json.loads(result.stdout)["agents"]
    assert (agent["runs"], agent["rates"]["valid"]["mean"]) == (82, 100.0)
