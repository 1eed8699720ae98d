"""Grading in a separate process, so that no submission can crash the harness or take its memory.

The process reads requests as lines of JSON from stdin and answers on a separate pipe, so that output of a task's code
does no harm. It ends with its stdin, and therefore with the harness.
"""

from __future__ import annotations

import json
import os
import resource
import select
import subprocess
import sys
import threading
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Self

from mlebench.errors import MLEBenchError, RunError
from mlebench.grading.reports import Outcome, Verdict

if TYPE_CHECKING:
    from mlebench.tasks.competition import Competition
    from mlebench.tasks.registry import Registry

SECONDS = 3600.0
MEMORY = 16 * 1024**3
"""Maximum of address space for grading, in bytes."""


class GradingProcess:
    """Grades submissions one by one in another process, which is replaced when it dies or hangs."""

    def __init__(self, registry: Registry, *, seconds: float = SECONDS) -> None:
        self._place = {"data_dir": str(registry.get_data_dir()), "folders": [str(path) for path in registry.folders]}
        self._seconds = seconds
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._answers: IO[bytes]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._stop()

    def judge(self, path: Path, competition: Competition) -> Verdict:
        """Grade one submission; the outcome is `failed` if grading dies or hangs."""
        with self._lock:
            answer = self._ask({"path": str(path), "competition": competition.label, **self._place})
            if answer is None:
                self._stop()
        if answer is None:
            return self._failed(path, competition)
        if "error" in answer:
            raise RunError(f"{competition.label} could not be graded: {answer['error']}")
        return Verdict.model_validate_json(answer["verdict"])

    def _ask(self, request: dict[str, Any]) -> dict[str, Any] | None:
        """Return the answer of the process, or None if there is none."""
        process = self._process or self._start()
        assert process.stdin is not None
        try:
            process.stdin.write(json.dumps(request).encode() + b"\n")
            process.stdin.flush()
        except OSError:
            return None
        poll = select.poll()  # select.select refuses descriptors above 1023, and a large group has more
        poll.register(self._answers, select.POLLIN)
        line = self._answers.readline() if poll.poll(self._seconds * 1000) else b""
        return json.loads(line) if line.endswith(b"\n") else None

    def _start(self) -> subprocess.Popen[bytes]:
        answers, theirs = os.pipe()
        own = str(Path(__file__).resolve().parents[2])  # the package need not be installed
        paths = os.pathsep.join(filter(None, (own, os.environ.get("PYTHONPATH"))))
        self._process = subprocess.Popen(
            [sys.executable, "-m", "mlebench.runs.grading", str(theirs)],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            pass_fds=(theirs,),
            start_new_session=True,  # Ctrl-C is for the harness, which finishes grading first
            env=os.environ | {"PYTHONPATH": paths},
        )
        os.close(theirs)
        self._answers = os.fdopen(answers, "rb")
        return self._process

    def _stop(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._answers.close()
            self._process = None

    def _failed(self, path: Path, competition: Competition) -> Verdict:
        """Return the verdict on a submission whose grading died."""
        from mlebench.grading.judge import judge

        bounds = f"{self._seconds:.0f} seconds or {MEMORY // 1024**3} GiB of memory"
        nothing = judge(path.parent / "nothing.csv", competition)
        return nothing.model_copy(
            update={
                "outcome": Outcome.FAILED,
                "reason": f"Grading died, or took more than {bounds}.",
                "submission_path": str(path),
                "submission_exists": path.is_file(),
            }
        )


def serve(answers: int) -> None:
    """Answer each line of stdin with a verdict or an error."""
    from mlebench.grading.judge import judge
    from mlebench.tasks.registry import Registry

    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    bound = MEMORY if hard == resource.RLIM_INFINITY else min(MEMORY, hard)
    resource.setrlimit(resource.RLIMIT_AS, (bound, hard))
    with os.fdopen(answers, "w") as out:
        for line in sys.stdin:
            request = json.loads(line)
            registry = Registry(Path(request["data_dir"]), tuple(map(Path, request["folders"])))
            try:
                verdict = judge(Path(request["path"]), registry.get_competition(request["competition"]))
                answer = {"verdict": verdict.model_dump_json()}
            except MLEBenchError as error:
                answer = {"error": str(error)}
            print(json.dumps(answer), file=out, flush=True)


if __name__ == "__main__":
    serve(int(sys.argv[1]))
