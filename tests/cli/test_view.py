from __future__ import annotations

import http.client
import re
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

from ..analysis.files import write_artifacts
from ..analysis.records import running_group

if TYPE_CHECKING:
    from pathlib import Path


def test_the_command_prints_its_address_and_ends_on_an_interrupt(tmp_path: Path) -> None:
    write_artifacts(tmp_path / "group", running_group())
    command = [sys.executable, "-m", "mlebench", "view", "group", "--runs-dir", str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            url = process.stdout.readline().strip()
            port = int(re.fullmatch(r"http://127\.0\.0\.1:(\d+)/", url)[1])  # type: ignore[index]
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
            connection.request("GET", "/")
            assert connection.getresponse().status == 200
            taken = subprocess.run(
                [*command, "--port", str(port)], capture_output=True, text=True, timeout=300, check=False
            )
            assert taken.returncode == 3 and "Cannot use port" in taken.stderr
            process.send_signal(signal.SIGINT)
            _, stderr = process.communicate(timeout=120)
        finally:
            process.kill()  # if a check above failed
    assert (process.returncode, stderr) == (0, "Stopped.\n")
