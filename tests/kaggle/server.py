"""A Kaggle server on this machine: answers the real library, and fails in the ways of Kaggle and of networks."""

from __future__ import annotations

import base64
import contextlib
import hashlib
import io
import json
import threading
import time
import zipfile
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from collections.abc import Iterator

API = "competitions.CompetitionApiService"
NAME, KEY, TOKEN = "somebody", "a-key", "a-token"
PIECE = 64 * 1024
MODIFIED = "Wed, 01 Jan 2020 00:00:00 GMT"


def zip_of(members: dict[str, bytes]) -> bytes:
    """Return a zip whose size is about that of its members."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as file:
        for name, content in members.items():
            file.writestr(name, content)
    return buffer.getvalue()


@dataclass
class Storage:
    """How the archive of a competition is served."""

    archive: bytes
    etag: str | None = '"one"'
    modified: str | None = MODIFIED
    md5: str | None = "right"
    """`right`, None for no hash, or the hash to send instead."""
    ranges: bool = True
    cuts: list[int] = field(default_factory=list)
    """Positions in the file at which the connection breaks, each once; the later ones after the download is resumed."""
    last_cut: int = 0
    always_cut: int | None = None
    """Bytes after which every response breaks."""
    declared: int | None = None
    """A wrong Content-Length."""
    chunked: bool = False
    """No Content-Length at all."""
    pause: float = 0.0
    """Seconds between two chunks."""
    hold_at: int | None = None
    """Position at which a response waits until `go` is set."""
    go: threading.Event = field(default_factory=threading.Event)
    refuse_ranges: int | None = None
    """A status with which the next range request is refused."""


@dataclass
class Fake:
    """A competition."""

    storage: Storage
    entered: bool = True
    refusal: tuple[int, str] | None = None
    """Status and message with which the data are refused."""
    pages: dict[str, str] = field(default_factory=dict)
    leaderboard: list[str] = field(default_factory=list)
    files: dict[str, int] = field(default_factory=dict)


@dataclass
class Fault:
    """What the next responses to a method are instead."""

    method: str
    status: int
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""
    times: int = 1


@dataclass
class FakeKaggle:
    """What the server serves, and the requests that it received."""

    competitions: dict[str, Fake] = field(default_factory=dict)
    kernels: dict[str, dict[str, str]] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)
    redirects: int = 1
    asked: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    """Method or path, and headers, of each request."""
    uploads: dict[str, bytes] = field(default_factory=dict)
    submissions: dict[int, dict[str, Any]] = field(default_factory=dict)
    submitted_to: dict[int, str] = field(default_factory=dict)
    """The competition of each submission."""
    lost: list[str] = field(default_factory=list)
    """Methods whose next answer gets lost: the server has done the work, and the client does not know."""
    port: int = 0

    @property
    def environment(self) -> dict[str, str]:
        """Variables that redirect Kaggle's library to this server, with credentials."""
        return self.without_credentials | {"KAGGLE_USERNAME": NAME, "KAGGLE_KEY": KEY}

    @property
    def without_credentials(self) -> dict[str, str]:
        here = f"http://127.0.0.1:{self.port}"
        proxies = {"http_proxy": here, "HTTP_PROXY": here, "no_proxy": "127.0.0.1", "NO_PROXY": "127.0.0.1"}
        return {"KAGGLE_API_ENVIRONMENT": "LOCALHOST", **proxies}

    def count(self, method: str) -> int:
        return sum(1 for name, _ in self.asked if name == method)

    def ranges(self) -> list[str]:
        """Return the ranges of archives that were requested, in order."""
        return [headers["range"] for name, headers in self.asked if name == "storage" and "range" in headers]

    @contextlib.contextmanager
    def running(self) -> Iterator[FakeKaggle]:
        class Server(ThreadingHTTPServer):
            daemon_threads = True
            block_on_close = False
            kaggle = self

            def handle_error(self, request: object, address: object) -> None: ...  # a client that disconnected

        server = Server(("127.0.0.1", 0), Handler)
        self.port = server.server_address[1]
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        thread.start()
        try:
            yield self
        finally:
            for each in self.competitions.values():
                each.storage.go.set()
            server.shutdown()
            server.server_close()
            thread.join()


class Refusal(Exception):
    def __init__(self, status: int, message: str) -> None:
        self.status, self.message = status, message


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    @property
    def kaggle(self) -> FakeKaggle:
        return self.server.kaggle

    def log_message(self, *arguments: object) -> None: ...

    def do_POST(self) -> None:
        path = urlsplit(self.path).path
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        method = path.rsplit("/", 1)[-1]
        self.note(method)
        fault = next((each for each in self.kaggle.faults if each.method == method and each.times > 0), None)
        if fault is not None:
            fault.times -= 1
            return self.send(fault.status, fault.body, fault.headers)
        try:
            self.check_credentials()
            answer = getattr(self, method)(json.loads(body or b"{}"))
        except Refusal as refusal:
            content = json.dumps({"code": refusal.status, "message": refusal.message}).encode()
            return self.send(refusal.status, content, {"Content-Type": "application/json"})
        if method in self.kaggle.lost:
            self.kaggle.lost.remove(method)
            self.close_connection = True
        elif answer is not None:
            self.send(200, json.dumps(answer).encode(), {"Content-Type": "application/json"})
        return None

    def do_PUT(self) -> None:
        self.note("upload")
        token = urlsplit(self.path).path.rsplit("/", 1)[-1]
        self.kaggle.uploads[token] = self.rfile.read(int(self.headers["Content-Length"]))
        self.send(200)

    def do_GET(self) -> None:
        _, kind, rest, name = urlsplit(self.path).path.split("/")
        if kind == "redirect" and int(rest) > 1:
            self.redirect(name.removesuffix(".zip"), int(rest) - 1)
        else:
            self.note("storage")
            self.hand_out(self.kaggle.competitions[name.removesuffix(".zip")].storage)

    # The methods of the API; each returns the response.

    def GetCompetition(self, request: dict[str, Any]) -> dict[str, Any]:
        name = request["competitionName"]
        fake = self.competition(name)
        url = f"https://www.kaggle.com/competitions/{name}"
        deadline = "2017-02-28T23:59:00Z"
        return {"id": 1, "ref": url, "url": url, "title": name.title(), "userHasEntered": fake.entered} | {
            "deadline": deadline,
            "evaluationMetric": "LogLoss",
        }

    def ListCompetitions(self, request: dict[str, Any]) -> dict[str, Any]:
        return {"competitions": [], "nextPageToken": ""}

    def IntrospectToken(self, request: dict[str, Any]) -> dict[str, Any]:
        good = request.get("token") == TOKEN
        return {"active": good, "username": NAME if good else ""}

    def ListDataFiles(self, request: dict[str, Any]) -> dict[str, Any]:
        files = list(self.competition(request["competitionName"]).files.items())
        start = int(request.get("pageToken") or 0)
        token = str(start + 2) if start + 2 < len(files) else ""
        shown = [{"name": name, "totalBytes": size} for name, size in files[start : start + 2]]
        return {"files": shown, "nextPageToken": token}

    def DownloadDataFiles(self, request: dict[str, Any]) -> None:
        name = request["competitionName"]
        fake = self.competition(name)
        if fake.refusal is not None:
            raise Refusal(*fake.refusal)
        if not fake.entered:
            raise Refusal(403, "You must accept this competition's rules before you can do that.")
        self.redirect(name, self.kaggle.redirects)

    def ListCompetitionPages(self, request: dict[str, Any]) -> dict[str, Any]:
        pages = self.competition(request["competitionName"]).pages
        return {"pages": [{"name": name, "content": content} for name, content in pages.items()]}

    def GetLeaderboard(self, request: dict[str, Any]) -> dict[str, Any]:
        scores = self.competition(request["competitionName"]).leaderboard
        start, size = int(request.get("pageToken") or 0), request.get("pageSize", 20)
        rows = [{"teamId": at, "teamName": f"team {at}", "score": score} for at, score in enumerate(scores)]
        token = str(start + size) if start + size < len(rows) else ""
        return {"submissions": rows[start : start + size], "nextPageToken": token}

    def GetKernel(self, request: dict[str, Any]) -> dict[str, Any]:
        blob = self.kaggle.kernels.get(f"{request['userName']}/{request['kernelSlug']}")
        if blob is None:
            raise Refusal(404, "Not found")
        return {"metadata": {}, "blob": blob}

    def StartSubmissionUpload(self, request: dict[str, Any]) -> dict[str, Any]:
        self.competition(request["competitionName"])
        token = f"{request['fileName']}-{request['contentLength']}"
        return {"token": token, "createUrl": f"http://127.0.0.1:{self.kaggle.port}/upload/here/{token}"}

    def CreateSubmission(self, request: dict[str, Any]) -> dict[str, Any]:
        if request["blobFileTokens"] not in self.kaggle.uploads:
            raise Refusal(400, "There is no such file")
        ref = 100 + len(self.kaggle.submissions)
        description = request.get("submissionDescription", "")
        self.kaggle.submissions[ref] = {"ref": ref, "description": description, "status": "COMPLETE"} | {
            "publicScore": "0.50000",
            "privateScore": "0.25000",
        }
        self.kaggle.submitted_to[ref] = request["competitionName"]
        return {"message": "Successfully submitted", "ref": ref}

    def ListSubmissions(self, request: dict[str, Any]) -> dict[str, Any]:
        name, token = request["competitionName"], request.get("pageToken") or "0"
        refs = sorted((ref for ref, where in self.kaggle.submitted_to.items() if where == name), reverse=True)
        shown = refs[int(token) : int(token) + 1]  # a page each
        more = str(int(token) + 1) if int(token) + 1 < len(refs) else ""
        return {"submissions": [self.kaggle.submissions[ref] for ref in shown], "nextPageToken": more}

    def GetSubmission(self, request: dict[str, Any]) -> dict[str, Any]:
        if request["ref"] not in self.kaggle.submissions:
            raise Refusal(404, "Not found")
        return self.kaggle.submissions[request["ref"]]

    # Helpers.

    def note(self, name: str) -> None:
        self.kaggle.asked.append((name, {key.lower(): value for key, value in self.headers.items()}))

    def check_credentials(self) -> None:
        basic = base64.b64encode(f"{NAME}:{KEY}".encode()).decode()
        if self.headers.get("Authorization") not in (f"Basic {basic}", f"Bearer {TOKEN}"):
            raise Refusal(401, "Unauthenticated")

    def competition(self, name: str) -> Fake:
        if name not in self.kaggle.competitions:
            raise Refusal(404, "Not found")
        return self.kaggle.competitions[name]

    def redirect(self, name: str, left: int) -> None:
        here = f"http://127.0.0.1:{self.kaggle.port}"
        self.send(302, b"", {"Location": f"{here}/redirect/{left}/{name}.zip"})

    def send(self, status: int, body: bytes = b"", headers: dict[str, str] | None = None) -> None:
        self.send_response(status)
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def hand_out(self, storage: Storage) -> None:
        start, asked, total = 0, self.headers.get("Range"), len(storage.archive)
        if asked and storage.refuse_ranges is not None:
            status, storage.refuse_ranges = storage.refuse_ranges, None
            return self.send(status)
        if asked and storage.ranges and self.headers.get("If-Range") in (None, storage.etag, storage.modified):
            start = int(asked.removeprefix("bytes=").removesuffix("-"))
            if start >= total:
                return self.send(416, b"", {"Content-Range": f"bytes */{total}"})
        self.send_response(206 if start else 200)
        if start:
            self.send_header("Content-Range", f"bytes {start}-{total - 1}/{total}")
        if storage.chunked:
            self.send_header("Transfer-Encoding", "chunked")
        else:
            self.send_header("Content-Length", str((storage.declared or total) - start))
        for name, value in (("ETag", storage.etag), ("Last-Modified", storage.modified)):
            if value is not None:
                self.send_header(name, value)
        if storage.ranges:
            self.send_header("Accept-Ranges", "bytes")
        if storage.md5 is not None:
            right = base64.b64encode(hashlib.md5(storage.archive).digest()).decode()
            self.send_header("x-goog-hash", f"crc32c=AAAAAA==,md5={right if storage.md5 == 'right' else storage.md5}")
        self.end_headers()
        self.write_body(storage, start)
        return None

    def write_body(self, storage: Storage, start: int) -> None:
        end = len(storage.archive)
        if storage.cuts and start == storage.last_cut:  # not a response of which only the headers are read
            end = storage.last_cut = storage.cuts.pop(0)
        if storage.always_cut is not None:
            end = min(end, start + storage.always_cut)
        for place in range(start, end, PIECE):
            if storage.hold_at is not None and place >= storage.hold_at and not storage.go.is_set():
                self.wfile.flush()
                storage.go.wait(60)
            piece = storage.archive[place : min(place + PIECE, end)]
            self.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece) if storage.chunked else piece)
            time.sleep(storage.pause)
        if storage.chunked and end == len(storage.archive):
            self.wfile.write(b"0\r\n\r\n")
        if end < len(storage.archive) or storage.declared:
            self.close_connection = True


def leaf(size: int = 1_000_000) -> Fake:
    """Return a competition whose archive has about `size` bytes, with no two equal parts."""
    content = b"".join(hashlib.sha256(str(at).encode()).digest() for at in range(size // 32))
    return Fake(Storage(zip_of({"train.csv": content})), files={"train.csv": len(content)})


def main() -> None:
    """Serve the zips of a folder for manual tests: python -m tests.kaggle.server FOLDER."""
    import sys

    kaggle = FakeKaggle({path.stem: Fake(Storage(path.read_bytes())) for path in Path(sys.argv[1]).glob("*.zip")})
    with kaggle.running():
        print(*(f"export {name}={value}" for name, value in kaggle.environment.items()), sep="\n", flush=True)
        threading.Event().wait()


if __name__ == "__main__":
    main()
