from __future__ import annotations

import subprocess
import sys

import pytest


@pytest.mark.slow("programs")
def test_a_reader_that_closes_the_pipe_causes_no_traceback(mlebench, tmp_path):
    for words in ("schema competition", "list"):
        script = f"sh -c '{sys.executable} -m mlebench {words}; echo $? >&2' | true"
        result = subprocess.run(script, shell=True, capture_output=True, text=True, cwd=tmp_path, check=False)
        assert result.stderr == "141\n"
