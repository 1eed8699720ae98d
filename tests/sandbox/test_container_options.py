"""The options that a container engine gets."""

from __future__ import annotations

import os

from mlebench.sandbox.container_options import gpu_options, limit_options, mount_option
from mlebench.sandbox.limits import Limits


def test_each_engine_has_its_own_options_for_gpus():
    assert gpu_options("docker", (0, 2)) == ("--gpus", '"device=0,2"')
    assert gpu_options("podman", (0, 2)) == (
        *("--device", "nvidia.com/gpu=0"),
        *("--device", "nvidia.com/gpu=2"),
    )
    assert gpu_options("docker", None) == ()


def test_limits_become_options():
    options = limit_options(Limits(memory=1000, processes=10, cpus=1e6))
    assert options[:6] == ("--memory", "1000", "--memory-swap", "1000", "--pids-limit", "18")
    assert float(options[7]) <= (os.cpu_count() or 1)
    assert limit_options(Limits(processes=None)) == ()


def test_paths_in_mounts_may_contain_commas():
    assert mount_option("/a,b", "/c") == ("--mount", 'type=bind,"source=/a,b",target=/c,readonly')
