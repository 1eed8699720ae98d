"""Hostile submissions: whatever lies at the path, the verdict comes soon and says in a sentence what is wrong."""

from __future__ import annotations

import codecs
import gzip
import io
import json
import os
import socket
import subprocess
import sys
import threading
import time
import zipfile
from typing import TYPE_CHECKING

import pytest

from mlebench.errors import InvalidSubmissionError
from mlebench.grading.check import check_submission
from mlebench.grading.intake import Allowance, parse_submission
from mlebench.grading.judge import judge
from mlebench.grading.reports import Outcome
from mlebench.ground.tables import read_csv

if TYPE_CHECKING:
    from pathlib import Path

GRADED, INVALID, MISSING = Outcome.GRADED, Outcome.INVALID, Outcome.MISSING
HUGE = "9" * 400


@pytest.fixture
def sample(ship) -> bytes:
    return ship.sample_submission.read_bytes()


@pytest.fixture
def verdict_on(ship, tmp_path, is_one_sentence):
    """A function that judges bytes, or a path, and holds what is true of every verdict."""

    def judge_it(what: bytes | Path):
        path = what
        if isinstance(what, bytes):
            path = tmp_path / "submission.csv"
            path.write_bytes(what)
        began = time.process_time()
        verdict = judge(path, ship)
        assert time.process_time() - began < 5
        if verdict.outcome is GRADED:
            assert verdict.reason is None
        else:
            assert verdict.score is None
            assert is_one_sentence(verdict.reason), verdict.reason
            if verdict.outcome is INVALID:
                assert check_submission(path, ship) == f"Submission invalid! {verdict.reason}"
        return verdict

    return judge_it


def with_first(sample: bytes, value: str, column: int = 1) -> bytes:
    """The sample with another value in the first row."""
    lines = sample.decode().splitlines()
    cells = lines[1].split(",")
    cells[column] = value
    return "\n".join([lines[0], ",".join(cells), *lines[2:], ""]).encode()


CONTENTS = {
    "as it should be": (lambda s: s, GRADED),
    "with windows line ends": (lambda s: s.replace(b"\n", b"\r\n"), GRADED),
    "with old mac line ends": (lambda s: s.replace(b"\n", b"\r"), GRADED),
    "with blanks after old mac line ends": (lambda s: s.replace(b"\n", b"\r "), INVALID),
    "with a UTF-8 byte order mark": (lambda s: codecs.BOM_UTF8 + s, GRADED),
    "without a last line end": (lambda s: s.rstrip(b"\n"), GRADED),
    "with blank lines": (lambda s: s.replace(b"\n", b"\n\n"), GRADED),
    "with every cell in quotes": (
        lambda s: b'"' + s[:-1].replace(b",", b'","').replace(b"\n", b'"\n"') + b'"\n',
        GRADED,
    ),
    "with a further column of nested quotes": (lambda s: s.replace(b"\n", b',"a ""b, c"""\n'), GRADED),
    "of 0 bytes": (lambda s: b"", INVALID),
    "of line ends only": (lambda s: b"\n" * 50, INVALID),
    "of a header only": (lambda s: s.split(b"\n")[0] + b"\n", INVALID),
    "with a header twice": (lambda s: s.split(b"\n")[0] + b"\n" + s, INVALID),
    "of random bytes": (lambda s: bytes(range(256)) * 40, INVALID),
    "of zero bytes": (lambda s: bytes(10_000), INVALID),
    "with zero bytes in between": (lambda s: s.replace(b",", b"\0,"), INVALID),
    "in UTF-16 with byte order mark": (lambda s: s.decode().encode("utf-16"), INVALID),
    "in UTF-16 without byte order mark": (lambda s: s.decode().encode("utf-16-be"), INVALID),
    "in UTF-32": (lambda s: s.decode().encode("utf-32"), INVALID),
    "with latin-1 bytes": (lambda s: s.replace(b"\n", b",caf\xe9\n"), INVALID),
    "packed by gzip": (gzip.compress, INVALID),
    "packed as zip": (lambda s: zipped(s), INVALID),
    "with duplicate headers": (
        lambda s: s.replace(b"\n", b",1\n").replace(b"Transported,1", b"Transported,PassengerId", 1),
        GRADED,
    ),
    "with a quote never closed": (lambda s: s.replace(b"False", b'"False', 1), INVALID),
    "with nan": (lambda s: with_first(s, "nan"), INVALID),
    "with inf": (lambda s: with_first(s, "inf"), INVALID),
    "with all inf": (lambda s: s.replace(b"False", b"-inf"), INVALID),
    "with all 1e400": (lambda s: s.replace(b"False", b"1e400"), INVALID),
    "with a number of 400 digits": (lambda s: with_first(s, HUGE), INVALID),
    "with all numbers of 400 digits": (lambda s: s.replace(b"False", HUGE.encode()), INVALID),
    "with labels that do not exist": (lambda s: s.replace(b"False", b"7"), GRADED),
    "with fractions": (lambda s: s.replace(b"False", b"0.5"), INVALID),
    "with complex numbers": (lambda s: s.replace(b"False", b"1+2j"), INVALID),
    "with dates": (lambda s: s.replace(b"False", b"2024-02-30"), INVALID),
    "with an id of a mega-byte": (lambda s: with_first(s, "x" * 2**20, column=0), INVALID),
    "with an unprintable id": (lambda s: with_first(s, "\x1b[31m\u202e\u2028", column=0), INVALID),
    "with an id in braces": (lambda s: with_first(s, "{'competition_id': 1}", column=0), INVALID),
    "with unprintable column names": (lambda s: b"\x1b[2J{},\xe2\x80\xa8.\n" + s, INVALID),
    "with numbers for ids": (
        lambda s: b"PassengerId,Transported\n" + b"1,False\n" * (s.count(b"\n") - 1),
        INVALID,
    ),
    "with a row too short": (lambda s: s.replace(b",False", b"", 1), INVALID),
    "with one row too long": (lambda s: s + b"1,2,3\n", INVALID),
    "of one long line": (lambda s: b"x" * (30 * 2**20), INVALID),
    "with one long cell in quotes": (lambda s: with_first(s, f'"{"a,b" * 2**20}"'), INVALID),
    "with a million columns": (lambda s: b",".join(b"c%d" % n for n in range(10**6)) + b"\n", INVALID),
    "with 100,000 fields in the second line": (
        lambda s: s.replace(b"False", b"False" + b",1" * 10**5, 1),
        INVALID,
    ),
    "with 100,000 fields in the fifth line": (
        lambda s: b"\n".join(lengthened(s.split(b"\n"), 4, 10**5)),
        INVALID,
    ),
    "of HTML": (lambda s: b"<html><body>" + s + b"</body></html>", INVALID),
    "of JSON": (lambda s: json.dumps([{"PassengerId": 1, "Transported": True}]).encode(), INVALID),
}


def zipped(content: bytes) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("submission.csv", content)
    return buffer.getvalue()


def lengthened(lines: list[bytes], number: int, fields: int) -> list[bytes]:
    return [*lines[:number], lines[number] + b",1" * fields, *lines[number + 1 :]]


@pytest.mark.parametrize("name", CONTENTS)
def test_file(name, sample, verdict_on):
    make, outcome = CONTENTS[name]
    verdict = verdict_on(make(sample))
    assert verdict.outcome is outcome, verdict.reason


def test_reason_names_row_and_column(sample, verdict_on):
    assert verdict_on(with_first(sample, "")).reason == "The value of column 'Transported' in row 1 is missing."


def test_rows_longer_than_the_header_are_read_as_pandas_reads_them(ship, sample, verdict_on):
    header, *rows = sample.decode().splitlines()
    shifted = "\n".join([header, *(f"x,{row}" for row in rows), ""]).encode()  # the first field is the index
    assert verdict_on(shifted).score == verdict_on(sample).score
    trailing = "\n".join([header, *(f"{row},x" for row in rows), ""]).encode()  # now the ids are
    assert verdict_on(trailing).outcome is INVALID


@pytest.mark.parametrize(
    ("text", "shape"),
    [
        (b"a,b\n1,2\n", (1, 2)),
        (b' \n\n"a,1","b ""\n"",",c\n1,2,3\n', (1, 3)),
        (b'a"x,b",c\n1,2,3\n', (1, 3)),
        (b"a,b\n1\n2\n", (2, 2)),
    ],
)
def test_allowance_counts_the_cells_that_pandas_makes(text, shape):
    assert read_csv(io.BytesIO(text)).shape == shape
    parse_submission(text, Allowance(fields=(text.count(b"\n") + 1) * shape[1]))


@pytest.mark.parametrize("end", [b"\n", b"\r", b"\r\n", b"\n\r"])
def test_lines_are_counted_whatever_ends_them(end):
    text = end.join([b"a,b", b"1,2", b"3,4", b"5,6"])
    lines = 7 if end == b"\n\r" else 4
    parse_submission(text, Allowance(fields=2 * lines - 2))
    with pytest.raises(InvalidSubmissionError, match=f"has {lines} lines and up to 2 columns"):
        parse_submission(text, Allowance(fields=2 * lines - 3))


def test_allowance_is_four_times_the_fields_of_a_large_sample(tmp_path):
    (tmp_path / "sample.csv").write_bytes(b"1,2\r\n" * 600_000)
    assert Allowance.like(tmp_path / "none.csv", tmp_path / "sample.csv").fields == 4 * 1_200_000


@pytest.mark.parametrize(
    ("name", "outcome"),
    [
        ("SUBMISSION.CSV", GRADED),
        (".hidden.csv", GRADED),
        ("submission.txt", MISSING),
        ("submission", MISSING),
    ],
)
def test_suffix_is_csv_in_any_case(name, outcome, sample, tmp_path, verdict_on):
    (tmp_path / name).write_bytes(sample)
    assert verdict_on(tmp_path / name).outcome is outcome


@pytest.mark.parametrize(
    "name", ["no.csv", "no/such/folder.csv", "zero\0byte.csv", "long" * 99 + ".csv", "\n{}.csv", ""]
)
def test_no_file_is_missing(name, tmp_path, verdict_on):
    assert verdict_on(tmp_path / name).outcome is MISSING


def test_a_file_is_no_folder(tmp_path, verdict_on):
    (tmp_path / "file").touch()
    assert verdict_on(tmp_path / "file" / "submission.csv").outcome is MISSING


def test_folder_is_refused(tmp_path, verdict_on):
    (tmp_path / "submission.csv").mkdir()
    assert verdict_on(tmp_path / "submission.csv").outcome is INVALID


def test_pipe_is_refused_without_waiting_for_a_writer(tmp_path, verdict_on):
    os.mkfifo(tmp_path / "submission.csv")
    assert verdict_on(tmp_path / "submission.csv").outcome is INVALID


def test_socket_is_refused(tmp_path, verdict_on, monkeypatch):
    monkeypatch.chdir(tmp_path)  # names of sockets are short
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("submission.csv")
        assert verdict_on(tmp_path / "submission.csv").outcome is INVALID


def test_device_is_refused(tmp_path, verdict_on):
    try:
        os.mknod(tmp_path / "submission.csv", 0o20666, os.makedev(1, 5))  # /dev/zero
    except PermissionError:
        pytest.skip("making a device takes root")
    assert verdict_on(tmp_path / "submission.csv").outcome is INVALID


@pytest.mark.parametrize("target", ["/dev/zero", "nowhere.csv", "submission.csv", "answers", "sample"])
def test_link_is_refused_wherever_it_points(target, ship, tmp_path, verdict_on):
    places = {"answers": ship.answers, "sample": ship.sample_submission}
    (tmp_path / "submission.csv").symlink_to(places.get(target, target))
    verdict = verdict_on(tmp_path / "submission.csv")
    assert (verdict.outcome, verdict.reason) == (INVALID, "The submission is a link; submit the file itself.")


def test_sparse_file_of_5_gigabytes_is_refused_by_its_size(tmp_path, verdict_on):
    with (tmp_path / "submission.csv").open("wb") as file:
        file.truncate(5 * 10**9)
    assert "4.66 GiB" in verdict_on(tmp_path / "submission.csv").reason


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_unreadable_file_is_refused(sample, tmp_path, verdict_on):
    (tmp_path / "submission.csv").write_bytes(sample)
    (tmp_path / "submission.csv").chmod(0)
    assert verdict_on(tmp_path / "submission.csv").outcome is INVALID


def test_growing_file_is_read_once_and_to_a_bound(sample, ship, tmp_path):
    path, done = tmp_path / "submission.csv", threading.Event()
    path.write_bytes(sample)

    def grow():
        with path.open("ab") as file:
            while not done.is_set() and file.tell() < 200 * 2**20:
                file.write(b"0000_00,True\n" * 1000)

    writer = threading.Thread(target=grow)
    writer.start()
    try:
        for _ in range(5):
            assert judge(path, ship).outcome in (GRADED, INVALID)
    finally:
        done.set()
        writer.join()


BOMBS = {
    "short rows below a wide header": b",".join(b"c%d" % n for n in range(19_000)) + b"\n" + b"1\n" * 2_000_000,
    "short rows below a wide first row": b"a,b\n" + b"," * 19_000 + b"\n" + b"1\n" * 2_000_000,
    "a header in broken quotes": b'a"' + b",b" * 19_000 + b'"\n' + b"1\n" * 2_000_000,
    "empty cells": (b"," * 100 + b"\n") * 600_000,
    "line ends": b"\n" * 60_000_000,
    "fields of one line": b"," * 60_000_000,
    "short words": b"a,b\n" + b"%08x,%08x\n" * 1_900_000,
    "one cell": b'a,b\n"' + b"x" * 60_000_000 + b'",1\n',
    "quotes": b'"' * 60_000_000,
}
READ_THEM = """
import json, resource, sys
from pathlib import Path
from mlebench.errors import InvalidSubmissionError
from mlebench.grading.intake import read_submission

resource.setrlimit(resource.RLIMIT_AS, (3 * 2**30, 3 * 2**30))
for path in map(Path, sys.argv[1:]):
    try:
        reason = str(read_submission(path).shape)
    except InvalidSubmissionError as error:
        reason = str(error)
    mebibytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(json.dumps([reason, mebibytes]))
"""


@pytest.mark.slow("programs")
def test_bombs_take_bounded_memory(tmp_path):
    for name, content in BOMBS.items():
        (tmp_path / f"{name}.csv").write_bytes(content)
    files = [tmp_path / f"{name}.csv" for name in BOMBS]
    result = subprocess.run([sys.executable, "-c", READ_THEM, *files], capture_output=True, text=True, timeout=300)
    assert result.returncode == 0, result.stderr
    for name, line in zip(BOMBS, result.stdout.splitlines(), strict=True):
        reason, mebibytes = json.loads(line)
        assert "more memory" not in reason, name
        assert mebibytes < 1600, name


@pytest.mark.parametrize("cell", ['"a\r b"', '"a\r b""\r c"', '"\r\t"'])
def test_returns_and_blanks_in_quotes_are_text(cell):
    table = parse_submission(f"id,text\r1,{cell}\r2,b\r".encode(), Allowance())
    assert table["text"].tolist() == [cell[1:-1].replace('""', '"'), "b"]
