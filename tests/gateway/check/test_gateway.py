"""The submission check of several runs, with the workers that check in reality."""

from __future__ import annotations

import dataclasses
import json
import shutil

import psutil
import pytest

from mlebench.gateway.check import CheckGateway
from mlebench.grading.pool import GradingPool
from mlebench.grading.requests import Bounds
from mlebench.tasks.registry import Registry

from .conftest import ask, form

MiB = 1024**2

pytestmark = pytest.mark.slow("programs")


@pytest.fixture
def gateway(ship):
    with GradingPool(Registry(ship.prepared_dir.parents[1])) as pool:
        yield CheckGateway(pool)


def test_the_harness_does_not_hold_what_agents_upload(gateway, ship, tmp_path):
    """The widest upload is refused or checked without a copy in this process."""
    uploads = [
        form(ship.sample_submission.read_bytes() + b"\n" + b"0123_01,True\n" * (60 * MiB // 13)),
        form(b"x" * MiB),
    ]
    largest = 0
    before = psutil.Process().memory_info().rss
    for number, upload in enumerate(uploads):
        with gateway.serve_run(tmp_path / f"{number}.sock", ship, events=lambda *_, **__: None) as server:
            status, answer = ask(server, "POST", "/validate", *upload)
            assert (status, json.loads(answer)["result"][:19]) == (200, "Submission invalid!")
            largest = max(largest, psutil.Process().memory_info().rss)
    assert largest - before < 32 * MiB
    assert not list(tmp_path.glob("upload-*"))


def test_a_memory_bomb_ends_in_a_worker_and_is_recorded(own_task, tmp_path):
    registry, competition = own_task("submission = [bytearray(1024**2) for _ in range(4096)]")
    events = []

    def record(kind, /, **facts):
        events.append((kind, facts.get("exceeded")))

    before = psutil.Process().memory_info().rss
    pool = GradingPool(registry, check_bounds=Bounds(memory=400 * MiB, seconds=600, cpu_seconds=60))
    with pool, CheckGateway(pool).serve_run(tmp_path / "v.sock", competition, events=record) as server:
        for _ in range(2):
            answer = ask(server, "POST", "/validate", *form(competition.sample_submission.read_bytes()))
            message = "Submission could not be checked within 400 MiB of memory and 60 seconds of computing"
            assert json.loads(answer[1])["result"].startswith(message)
    assert events == [("check", True)] * 2
    assert psutil.Process().memory_info().rss - before < 200 * MiB


def test_the_largest_upload_is_a_small_part_of_the_memory_for_its_check(gateway, ship, tmp_path):
    for sample_bytes, max_bytes in ((10**6, 64 * MiB), (10**8, (2 * 1024**3 + 24 * 10**8) // 4)):
        public = tmp_path / str(sample_bytes)
        shutil.copytree(ship.public_dir, public)
        sample = public / ship.sample_submission.name
        with sample.open("ab") as file:
            file.truncate(sample_bytes)
        competition = dataclasses.replace(ship, public_dir=public, sample_submission=sample)
        server = gateway.serve_run(public / "v.sock", competition, events=lambda *_, **__: None)
        assert server._service.max_bytes == max_bytes
