"""Downloads over connections that break, to disks that are full, from servers that replace the file."""

from __future__ import annotations

import fcntl
import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

import mlebench
from mlebench.errors import ChecksumError, DiskFullError, NetworkError, RulesNotAcceptedError, TransferError
from mlebench.kaggle import KaggleClient

from .conftest import LEAF
from .server import MODIFIED, PIECE, Fault, leaf, zip_of

SOURCE = str(Path(mlebench.__file__).parents[1])


@pytest.fixture
def storage(kaggle):
    return kaggle.competitions[LEAF].storage


@pytest.fixture
def target(tmp_path):
    folder = tmp_path / "data"
    folder.mkdir()
    return folder / f"{LEAF}.zip"


def names(target: Path) -> list[str]:
    return sorted(path.name for path in target.parent.iterdir())


def is_whole(target: Path, storage) -> bool:
    return target.read_bytes() == storage.archive and names(target) == [target.name]


def test_a_download_is_complete_and_leaves_no_other_file(client, storage, target):
    told = []
    assert client.download(LEAF, target, progress=lambda there, total: told.append((there, total))) == target
    assert is_whole(target, storage)
    assert told[0] == (0, len(storage.archive)) and told[-1] == (len(storage.archive), len(storage.archive))
    assert told == sorted(told)


def test_a_refusal_leaves_nothing_behind(kaggle, client, target):
    kaggle.competitions[LEAF].entered = False
    with pytest.raises(RulesNotAcceptedError):
        client.download(LEAF, target)
    assert names(target) == []


def test_redirects_are_followed_without_the_credentials(kaggle, client, storage, target):
    kaggle.redirects = 4
    client.download(LEAF, target)
    assert is_whole(target, storage)
    [headers] = [headers for name, headers in kaggle.asked if name == "storage"]
    assert "authorization" not in headers


@pytest.mark.parametrize("cuts", [[1], [PIECE], [300_000, 700_001], [999_999]])
def test_interrupted_downloads_resume_at_their_byte(kaggle, client, storage, target, cuts, caplog):
    storage.cuts = list(cuts)
    client.download(LEAF, target)
    assert is_whole(target, storage) and storage.cuts == []
    assert kaggle.ranges() == [f"bytes={cut}-" for cut in cuts]
    assert sum("was interrupted at" in record.message for record in caplog.records) == len(cuts)


def test_too_many_interruptions_are_an_error_that_says_how_to_resume(client, storage, target, is_one_sentence):
    storage.always_cut = 10_000
    with pytest.raises(
        TransferError, match=r"was interrupted 4 times .* 40\.0 kB of 1\.0 MB; .* the same command"
    ) as error:
        client.download(LEAF, target)
    assert is_one_sentence(str(error.value)) and names(target) == [f"{LEAF}.zip.part", f"{LEAF}.zip.part.json"]
    storage.always_cut = None
    client.download(LEAF, target)
    assert is_whole(target, storage)


def test_interruptions_do_not_count_while_the_download_makes_progress(kaggle, client, target, monkeypatch):
    monkeypatch.setattr("mlebench.kaggle.download.RESET_BYTES", 50_000)
    storage = kaggle.competitions[LEAF].storage
    storage.always_cut = 60_000
    client.download(LEAF, target)
    assert is_whole(target, storage) and len(kaggle.ranges()) == 16


def test_a_server_without_ranges_is_downloaded_from_the_beginning(kaggle, client, storage, target):
    storage.ranges, storage.cuts = False, [500_000]
    client.download(LEAF, target)
    assert is_whole(target, storage)


def test_a_refused_range_request_keeps_the_bytes(kaggle, client, storage, target):
    storage.cuts, storage.refuse_ranges = [500_000], 403
    client.download(LEAF, target)
    assert is_whole(target, storage) and kaggle.ranges() == ["bytes=500000-"] * 2


def test_server_errors_in_the_middle_are_retried(kaggle, client, storage, target):
    storage.cuts = [500_000]
    seen = []

    def fail_once(there, total):
        if there == 500_000 and not seen:
            seen.append(there)
            kaggle.faults.append(Fault("DownloadDataFiles", 500, times=4))

    client.download(LEAF, target, progress=fail_once)
    assert is_whole(target, storage) and kaggle.faults[0].times == 0


def test_rate_limits_are_waited_for(kaggle, client, storage, target):
    kaggle.faults.append(Fault("DownloadDataFiles", 429, {"Retry-After": "0"}))
    client.download(LEAF, target)
    assert is_whole(target, storage)


def test_a_network_that_is_down_keeps_the_partial_download(client, storage, target, monkeypatch):
    stop(client, storage, target)
    there = (target.parent / f"{LEAF}.zip.part").read_bytes()
    with monkeypatch.context() as patch:
        for name in ("http_proxy", "HTTP_PROXY"):
            patch.setenv(name, "http://127.0.0.1:1")
        with pytest.raises(NetworkError):
            client.download(LEAF, target)
    assert there and (target.parent / f"{LEAF}.zip.part").read_bytes() == there
    client.download(LEAF, target)
    assert is_whole(target, storage)


def stop(client, storage, target, at=500_000) -> None:
    """Begin a download and stop it."""
    cancel = threading.Event()
    with pytest.raises(TransferError, match="was stopped"):
        client.download(LEAF, target, lambda there, total: cancel.set() if there >= at else None, cancel)


@pytest.mark.parametrize("change", ["etag", "modified alone", "size"])
def test_a_changed_archive_is_downloaded_from_the_beginning(kaggle, client, storage, target, change, caplog):
    if change == "modified alone":
        storage.etag = None
    stop(client, storage, target)
    if change == "etag":
        storage.etag, storage.archive = '"two"', storage.archive[:40] + bytes(1000) + storage.archive[1040:]
    elif change == "modified alone":
        storage.modified, storage.archive = "Thu, 02 Jan 2020 00:00:00 GMT", storage.archive[:40] + storage.archive[40:]
    else:
        storage.archive = leaf(2_000_000).storage.archive
    client.download(LEAF, target)
    assert is_whole(target, storage) and kaggle.ranges() == []
    assert any("has changed on the server" in record.message for record in caplog.records)


def test_an_archive_that_changes_between_two_parts_is_not_mixed(client, storage, target):
    storage.cuts = [500_000]
    other = leaf(2_000_000).storage.archive

    def change(there, total):
        if there == 500_000:
            storage.etag, storage.archive = '"two"', other

    client.download(LEAF, target, change)
    assert target.read_bytes() == other


def test_bytes_without_etag_and_date_are_not_resumed(kaggle, client, storage, target):
    storage.etag = storage.modified = None
    stop(client, storage, target)
    client.download(LEAF, target)
    assert is_whole(target, storage) and kaggle.ranges() == []


def test_a_partial_download_with_a_malformed_description_starts_again(kaggle, client, storage, target):
    stop(client, storage, target)
    (target.parent / f"{LEAF}.zip.part.json").write_text("{")
    client.download(LEAF, target)
    assert is_whole(target, storage) and kaggle.ranges() == []


@pytest.mark.parametrize("md5", ["right", None])
def test_bytes_of_an_earlier_call_are_resumed_and_verified(kaggle, client, storage, target, md5):
    storage.md5 = md5
    stop(client, storage, target)
    KaggleClient().download(LEAF, target)
    assert is_whole(target, storage) and len(kaggle.ranges()) == 1


def test_a_partial_download_that_is_complete_is_only_renamed(kaggle, client, storage, target):
    stop(client, storage, target)
    (target.parent / f"{LEAF}.zip.part").write_bytes(storage.archive)
    told = []
    client.download(LEAF, target, lambda there, total: told.append(there))
    assert is_whole(target, storage) and told == [len(storage.archive)] and kaggle.ranges() == []


def test_a_file_with_a_wrong_hash_is_set_aside(client, storage, target, is_one_sentence):
    storage.md5 = "AAAAAAAAAAAAAAAAAAAAAA=="
    with pytest.raises(ChecksumError, match=r"md5 .* Kaggle announced AAAAAAAAAAAAAAAAAAAAAA==.*\.damaged") as error:
        client.download(LEAF, target)
    assert is_one_sentence(str(error.value)) and names(target) == [f"{LEAF}.zip.damaged"]
    storage.md5 = "right"
    client.download(LEAF, target)
    assert names(target) == [f"{LEAF}.zip", f"{LEAF}.zip.damaged"]


def test_bytes_that_changed_on_the_disk_are_detected(client, storage, target):
    stop(client, storage, target)
    part = target.parent / f"{LEAF}.zip.part"
    content = bytearray(part.read_bytes())
    content[1000:1010] = bytes(10)
    part.write_bytes(content)
    with pytest.raises(ChecksumError, match="md5"):
        client.download(LEAF, target)


def test_a_content_length_that_is_too_small_is_detected(client, storage, target):
    storage.md5, storage.declared = None, len(storage.archive) - 100
    with pytest.raises(ChecksumError, match="not a zip file"):
        client.download(LEAF, target)


def test_a_content_length_that_is_too_large_ends_in_an_error(client, storage, target):
    storage.md5, storage.declared = None, len(storage.archive) + 100
    with pytest.raises(TransferError):
        client.download(LEAF, target)
    assert not target.exists()


def test_a_page_instead_of_an_archive_is_detected(client, storage, target):
    storage.archive = b"<html>We will be back soon" * 10
    with pytest.raises(ChecksumError, match="260 bytes are not a zip file"):
        client.download(LEAF, target)


def test_an_archive_without_a_content_length_is_downloaded(client, storage, target):
    storage.chunked, storage.cuts = True, [500_000]
    told = []
    client.download(LEAF, target, lambda there, total: told.append(total))
    assert target.read_bytes() == storage.archive and set(told) == {None}


def test_only_one_process_downloads_a_file(client, storage, target):
    part = target.parent / f"{LEAF}.zip.part"
    with part.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        with pytest.raises(TransferError, match="Another process"):
            client.download(LEAF, target)
    client.download(LEAF, target)
    assert is_whole(target, storage)


def test_temporary_files_of_a_killed_process_are_removed(client, storage, target):
    (target.parent / f".{LEAF}.zip.part.json.x1y2z3").write_text("{")
    client.download(LEAF, target)
    assert is_whole(target, storage)


DOWNLOAD = """
import sys
from pathlib import Path
from mlebench.kaggle import KaggleClient
KaggleClient().download(sys.argv[1], Path(sys.argv[2]))
"""


def begin(target: Path) -> subprocess.Popen[bytes]:
    environment = os.environ | {"PYTHONPATH": SOURCE}
    return subprocess.Popen([sys.executable, "-c", DOWNLOAD, LEAF, str(target)], env=environment)


@pytest.mark.slow("programs")
@pytest.mark.parametrize("hold", [0, PIECE, 10 * PIECE, 15 * PIECE])
def test_a_killed_download_resumes(kaggle, client, storage, target, hold):
    storage.archive = zip_of({"train.csv": os.urandom(20 * PIECE)})
    storage.hold_at = hold
    process = begin(target)
    part = target.parent / f"{LEAF}.zip.part"
    until(lambda: kaggle.count("storage") and (hold < 16 * PIECE or part.stat().st_size >= 16 * PIECE))
    if hold:
        until(lambda: part.exists() and (part.parent / f"{part.name}.json").exists())
    process.send_signal(signal.SIGKILL)
    process.wait()
    storage.go.set()
    assert not target.exists()
    there = part.stat().st_size if part.exists() else 0
    client.download(LEAF, target)
    assert is_whole(target, storage)
    assert kaggle.ranges() == ([f"bytes={there}-"] if there else [])


@pytest.mark.slow("programs")
def test_a_download_killed_many_times_ends_in_the_same_file(kaggle, client, storage, target):
    storage.archive, storage.pause = zip_of({"train.csv": os.urandom(40 * PIECE)}), 0.005
    for moment in range(8):
        process = begin(target)
        until(lambda process=process: kaggle.count("storage") > 0 or process.poll() is not None)
        time.sleep(moment * 0.03)
        process.kill()
        process.wait()
        kaggle.asked.clear()
    client.download(LEAF, target)
    assert is_whole(target, storage)


def until(condition, seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it never happened"
        time.sleep(0.01)


@pytest.fixture
def small_disk(tmp_path, require):
    """A disk of its own of 1 MiB."""
    disk = tmp_path / "disk"
    disk.mkdir()
    done = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=1M", "tmpfs", str(disk)], capture_output=True, text=True, check=False
    )
    if done.returncode:
        require(f"mounting a small disk needs root: {done.stderr.strip()}")
    yield disk
    subprocess.run(["umount", "-l", str(disk)], check=True)


@pytest.mark.slow("programs")
def test_a_disk_that_is_too_small_is_an_error_before_the_first_byte(
    kaggle, client, storage, small_disk, is_one_sentence
):
    storage.archive = leaf(3_000_000).storage.archive
    with pytest.raises(DiskFullError, match=r"has 1\.0 MB free and 3\.0 MB is needed") as error:
        client.download(LEAF, small_disk / "leaf.zip")
    assert is_one_sentence(str(error.value)) and list(small_disk.iterdir()) == []


@pytest.mark.slow("programs")
def test_a_disk_that_fills_up_keeps_the_bytes(kaggle, client, storage, small_disk, is_one_sentence):
    target, filler = small_disk / "leaf.zip", small_disk / "filler"
    storage.archive = leaf(800_000).storage.archive

    def fill(there, total):
        if there >= 200_000 and not filler.exists():
            with pytest.raises(OSError, match="space"):
                filler.write_bytes(bytes(2_000_000))

    with pytest.raises(DiskFullError, match="to resume") as error:
        client.download(LEAF, target, fill)
    assert is_one_sentence(str(error.value)) and not target.exists()
    assert (small_disk / "leaf.zip.part").stat().st_size >= 200_000
    filler.unlink()
    client.download(LEAF, target)
    assert target.read_bytes() == storage.archive and len(kaggle.ranges()) == 1


def test_a_partial_download_is_described_by_a_json_file(client, storage, target):
    stop(client, storage, target)
    note = json.loads((target.parent / f"{LEAF}.zip.part.json").read_text())
    assert note["size"] == len(storage.archive) and note["etag"] == storage.etag


def test_a_partial_download_of_an_earlier_version_is_resumed(kaggle, client, storage, target):
    (target.parent / f"{LEAF}.zip.part").write_bytes(storage.archive[:400_000])
    (target.parent / f"{LEAF}.zip.part.json").write_text(
        f'{{"size":{len(storage.archive)},"etag":"\\"one\\"","modified":"{MODIFIED}","md5":null}}\n'
    )
    client.download(LEAF, target)
    assert is_whole(target, storage) and kaggle.ranges() == ["bytes=400000-"]
