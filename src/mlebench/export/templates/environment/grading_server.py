"""Check the form of submissions, inside a container, without opening the answers.

GET  /health    -> 200
POST /validate  -> {"result": MESSAGE} for the file in the form field `file`
"""

from __future__ import annotations

import importlib
import json
import os
import sys
import tempfile
from email.parser import BytesParser
from email.policy import HTTP
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

PORT = 5000
DATA = Path("/home/data")
PRIVATE_DATA = Path("/private/data")
MAX_BYTES = 2 * 1024**3


def check(content: bytes, competition_id: str) -> str:
    """Return the message for a submission: whether it has the columns and ids of the sample submission."""
    from mlebench.grade_helpers import InvalidSubmissionError
    from mlebench.registry import registry
    from mlebench.utils import read_csv

    competition = registry.set_data_dir(PRIVATE_DATA).get_competition(competition_id)
    sample_file = competition.sample_submission
    if sample_file.is_relative_to(competition.public_dir):
        sample_file = DATA / sample_file.relative_to(competition.public_dir)
    sample = read_csv(sample_file)
    shape = getattr(importlib.import_module(f"mlebench.competitions.{competition_id}.grade"), "SHAPE", None)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "submission.csv"
        path.write_bytes(content)
        try:
            submission = read_csv(path)
            if shape is not None:
                shape.align(submission, sample)
            elif list(submission.columns) != list(sample.columns) or len(submission) != len(sample):
                raise InvalidSubmissionError("Submission must have the columns and as many rows as the sample.")
        except (InvalidSubmissionError, ValueError) as error:
            return f"Submission invalid! {error}"
    return "Submission is valid."


class Handler(BaseHTTPRequestHandler):
    """One request."""

    def do_GET(self) -> None:
        self._answer(200, {"status": "running"}) if self.path == "/health" else self._answer(404, {})

    def do_POST(self) -> None:
        if self.path != "/validate":
            return self._answer(404, {})
        try:
            self._answer(200, {"result": check(self._file(), os.environ["COMPETITION_ID"])})
        except Exception as error:  # noqa: BLE001  the client gets any error as an answer
            self._answer(500, {"error": f"The submission could not be checked: {error}"})
        return None

    def _file(self) -> bytes:
        length = int(self.headers.get("Content-Length", 0))
        if not 0 < length <= MAX_BYTES:
            raise ValueError("the request has no length or is too large")
        head = f"Content-Type: {self.headers['Content-Type']}\r\n\r\n".encode()
        form = BytesParser(policy=HTTP).parsebytes(head + self.rfile.read(length))
        for part in form.iter_parts():
            if part.get_param("name", header="content-disposition") == "file":
                content = part.get_payload(decode=True)
                assert isinstance(content, bytes)
                return content
        raise ValueError("the form has no field 'file'")

    def _answer(self, status: int, content: dict[str, Any]) -> None:
        body = json.dumps(content, separators=(",", ":")).encode() + b"\n"
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


if __name__ == "__main__":
    server = ThreadingHTTPServer(("0.0.0.0", int(sys.argv[1]) if len(sys.argv) > 1 else PORT), Handler)
    print(f"The submission check listens on port {server.server_port}", file=sys.stderr, flush=True)
    server.serve_forever()
