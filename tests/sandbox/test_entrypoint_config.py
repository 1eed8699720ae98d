"""The config that the first process gets for a job."""

from __future__ import annotations

import os
from pathlib import Path, PurePath

import pytest

from mlebench.sandbox.entrypoint.config import Config, Forward
from mlebench.sandbox.entrypoint_config import make_config, max_open_files
from mlebench.sandbox.limits import Limits
from mlebench.sandbox.port_forward import PortForward

FORWARD = PortForward(5000, Path("/outside"), {"VALIDATE_URL": ""})
PYTHON = PurePath("/usr/bin/python")


def config(job, limits=None, sockets=(), **more):
    return Config.decode(make_config(job, limits or Limits(), sockets=sockets, python=PYTHON, **more).decode())


def test_only_a_whole_item_of_the_command_stands_for_python(bench):
    job = bench.job(("{python}", "-c", "print('{python}')"))
    assert config(job).command == ["/usr/bin/python", "-c", "print('{python}')"]


@pytest.mark.parametrize(
    ("disk", "more", "expected"),
    [
        (None, {}, {}),
        (1000, {}, {"RLIMIT_FSIZE": 1000}),
        (1000, {"RLIMIT_NPROC": 9}, {"RLIMIT_FSIZE": 1000, "RLIMIT_NPROC": 9}),
        (1000, {"RLIMIT_FSIZE": 5}, {"RLIMIT_FSIZE": 5}),
    ],
)
def test_no_file_may_be_larger_than_the_disk_limit(bench, disk, more, expected):
    found = config(bench.job(("true",)), Limits(disk=disk), rlimits=more).rlimits
    assert {name: found[name] for name in found if name in ("RLIMIT_FSIZE", "RLIMIT_NPROC")} == expected


@pytest.mark.parametrize(
    ("processes", "machine", "expected"), [(512, 1 << 63, 1 << 20), (512, 2_400_000, 1153), (99_999, 5, 1024)]
)
def test_all_processes_together_open_a_part_of_what_the_machine_can(tmp_path, processes, machine, expected):
    (tmp_path / "file-max").write_text(f"{machine}\n")
    assert max_open_files(processes, tmp_path / "file-max") == expected
    assert max_open_files(None, tmp_path / "file-max") <= max_open_files(4096, tmp_path / "file-max")


def test_a_forward_leads_to_its_socket_inside(bench):
    job = bench.job(("true",), port_forwards=(FORWARD,))
    assert config(job, sockets=[PurePath("/inside")]).forwards == [Forward(5000, "/inside", {"VALIDATE_URL": ""})]
    with pytest.raises(ValueError, match="zip"):
        config(job)


@pytest.mark.parametrize(("cpus", "number"), [(None, None), (0.5, 1), (1, 1), (10**6, None)])
def test_a_job_gets_whole_cpus_or_all_of_them(bench, monkeypatch, cpus, number):
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {3, 5, 8})
    chosen = config(bench.job(("true",)), Limits(cpus=cpus)).cpus
    assert (chosen and len(chosen)) == number
    assert set(chosen or ()) <= {3, 5, 8}


def test_an_empty_environment_is_not_the_same_as_none(bench):
    job = bench.job(("true",))
    assert config(job).environment is None
    assert config(job, environment={}).environment == {}


def test_a_filter_survives_as_hexadecimal(bench):
    assert bytes.fromhex(config(bench.job(("true",)), seccomp_filter=b"\0\xff").seccomp_filter) == b"\0\xff"
