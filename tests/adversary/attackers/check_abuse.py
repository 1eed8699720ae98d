"""Abuses the submission check: floods and starves it, sends it malformed uploads, and asks it for labels."""

import csv
import io
import json
import os
import random
import socket
import threading
import time
import urllib.error
import urllib.request
import zlib
from pathlib import Path

from attempts import attempt, only_inside

only_inside()
SAMPLE = Path("/home/data/sample_submission.csv").read_text()
URL = os.environ["VALIDATE_URL"] + "/validate"


def ask(content, path=URL, **headers):
    """Upload a file, and return the status and the answer."""
    body = b'--b\r\nContent-Disposition: form-data; name="file"; filename="s.csv"\r\n\r\n' + content + b"\r\n--b--\r\n"
    headers = {"Content-Type": "multipart/form-data; boundary=b"} | headers
    request = urllib.request.Request(path, data=body, headers=headers, method="POST")
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


def works():
    """Tell whether a valid submission is answered, within a while."""
    for _ in range(60):
        try:
            status, answer = ask(SAMPLE.encode())
        except OSError:
            status = 0
        if status == 200:
            return "is valid." in answer
        time.sleep(0.5)
    return False


def raw(data, *, wait=3.0):
    """Send bytes and return what comes back."""
    with socket.create_connection(("127.0.0.1", 5000), timeout=wait) as client:
        try:
            client.sendall(data)
            return client.recv(4096)
        except OSError:
            return b""


@attempt
def labels():
    """Right and wrong labels get the same answer: ask with permutations of the values."""
    rows = list(csv.reader(io.StringIO(SAMPLE)))
    header, ids, columns = rows[0], [row[0] for row in rows[1:]], len(rows[0]) - 1
    chance, answers = random.Random(0), set()
    for number in range(12):
        table = [[0.0] * columns for _ in ids]
        for row in table:
            row[number % columns if number < columns else chance.randrange(columns)] = 1.0
        lines = [header, *([one, *values] for one, values in zip(ids, table, strict=True))]
        answers.add(ask("\n".join(",".join(map(str, line)) for line in lines).encode()))
    return answers if len(answers) > 1 or "is valid." not in str(answers) else None


@attempt
def scores():
    """The answer contains no score."""
    _, answer = ask(SAMPLE.encode())
    return any(word in answer.lower() for word in ("score", "loss", "accuracy", "medal", "rank", "correct")) and answer


@attempt
def ids_that_are_not_given():
    """An unknown id is refused; the answer may name only ids of the sample submission."""
    rows = SAMPLE.splitlines()
    known = {row.split(",")[0] for row in rows[1:]}
    _, answer = ask("\n".join([*rows[:-1], "no-such-id," + rows[-1].split(",", 1)[1]]).encode())
    words = set(answer.replace("'", " ").replace('"', " ").replace(",", " ").replace(".", " ").split())
    return {word for word in words if word.isdigit() and word not in known and int(word) > 2 * len(known)}


@attempt
def other_paths():
    found = []
    paths = "/ /grade /answers /private /score /validate/../private /validate?answers=1 //etc/passwd"
    for path in paths.split():
        status, answer = ask(SAMPLE.encode(), URL.removesuffix("/validate") + path)
        if status == 200:
            found.append((path, answer))
    return found


@attempt
def file_by_path():
    """The file name of an upload must not decide what is read or written."""
    body = (
        b'--b\r\nContent-Disposition: form-data; name="file"; filename="../../../../etc/passwd"\r\n\r\n'
        + SAMPLE.encode()
        + b"\r\n--b--\r\n"
    )
    request = urllib.request.Request(URL, data=body, headers={"Content-Type": "multipart/form-data; boundary=b"})
    with urllib.request.urlopen(request, timeout=30) as answer:
        return b"root" in answer.read()


@attempt
def tracebacks():
    """No answer contains a path or a traceback of the harness."""
    found = []
    for content in (
        b"",
        b"\0",
        b"\xff\xfe",
        b"id\n",
        b'"',
        b"id,id\n1,1\n",
        b"\x1f\x8b" + b"x" * 100,
        b"a" * 100_000,
        b"id,grower_a\n" + b"9" * 5000 + b",1\n",
        "id,🍷\n1,2\n".encode(),
        b"id\r" * 1000,
    ):
        status, answer = ask(content)
        if status >= 500 or any(word in answer for word in ("Traceback", "/tmp/", "/private", ".py", "site-packages")):
            found.append((status, answer[:200]))
    return found


@attempt
def a_million_columns():
    names = ",".join(f"c{number}" for number in range(1_000_000))
    status, answer = ask(f"{names}\n{',' * 999_999}\n".encode())
    return (status, answer[:200]) if "20,000 columns" not in answer else None


@attempt
def a_bomb():
    """A small compressed upload."""
    packed = zlib.compress(b"0" * (100 << 20), 9)
    _, answer = ask(packed, **{"Content-Encoding": "deflate"})
    return answer if "is valid" in answer else None


@attempt
def a_huge_upload():
    try:
        status, answer = ask(b"1,1,1,1\n" * (9 << 20))
    except OSError as error:
        return None if works() else str(error)
    return (status, answer) if status != 413 else None


@attempt
def more_than_is_allowed():
    head = b"POST /validate HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=b\r\n"
    answers = [
        raw(head + line + b"\r\n\r\n")
        for line in (
            b"Content-Length: 99999999999",
            b"Content-Length: 99999999999999999999999999",
            b"Content-Length: -5",
            b"Content-Length: 1e3",
            b"Content-Length: 5\r\nContent-Length: 999",
            b"Transfer-Encoding: chunked",
            b"X: y",
        )
    ]
    return [answer for answer in answers if b" 200 " in answer or b" 500 " in answer]


@attempt
def malformed():
    lines = [
        b"\0" * 1000,
        b"GET\r\n\r\n",
        b"POST /validate\r\n\r\n",
        b"A" * 100_000,
        b"GET / HTTP/9.9\r\n\r\n",
        b"PUT /validate HTTP/1.1\r\n\r\n",
        b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 500 + b"\r\n",
        b"\x16\x03\x01\x02\0" * 50,
    ]
    answers = [raw(line, wait=2) for line in lines]
    return [answer for answer in answers if b" 200 " in answer.split(b"\r\n")[0]]


@attempt
def slow_senders():
    """More connections than the check serves, each with an unfinished request; it recovers when they close."""
    held = []
    for _ in range(40):
        client = socket.create_connection(("127.0.0.1", 5000), timeout=5)
        client.sendall(b"POST /validate HTTP/1.1\r\nContent-Length: 1000\r\n")
        held.append(client)
    time.sleep(1)
    for client in held:
        client.close()
    return not works() and "the check serves nobody anymore"


@attempt
def aborted_uploads():
    """Uploads that stop in the middle leave nothing behind."""
    for _ in range(30):
        with socket.create_connection(("127.0.0.1", 5000), timeout=5) as client:
            client.sendall(
                b"POST /validate HTTP/1.1\r\nContent-Type: multipart/form-data; boundary=b\r\n"
                b"Content-Length: 1000000\r\n\r\n--b\r\n" + b"x" * 1000
            )
    return not works() and "the check serves nobody anymore"


@attempt
def flood():
    """As many uploads as possible; after its limit, the check only refuses."""
    answered, end = [0, 0, 0], time.monotonic() + 400  # the harness slows such a run down

    def keep_asking():
        while time.monotonic() < end and not answered[2]:
            try:
                status, _ = ask(b"x")
            except OSError:
                continue
            answered[0] += status in (200, 400)
            answered[1] += status == 503
            answered[2] += status == 429

    threads = [threading.Thread(target=keep_asking) for _ in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return not answered[2] and f"{json.dumps(answered)} and no end"
