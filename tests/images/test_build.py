"""The base image: built once for the same inputs, with everything in it that jobs expect."""

from __future__ import annotations

import subprocess

from mlebench.images.build import build_recipe
from mlebench.images.image import list_images
from mlebench.images.recipe import Recipe

BASE = "mlebench/base:minimal"


def test_the_same_inputs_are_the_same_image(docker):
    base = docker.inspect_image(BASE).labels["mlebench.base"]
    built = build_recipe(docker, Recipe.for_base("minimal", base))
    image = built.image
    assert not built.is_new
    assert image.tag == f"mlebench/base:minimal-{image.inputs[:12]}"
    assert (image.kind, image.variant, image.base) == ("base", "minimal", base)
    assert image in list_images(docker)


def test_the_base_image_has_the_folders_and_the_packages_of_jobs(docker):
    script = (
        "id -u; ls -d /home/data /home/submission /home/code /home/logs /home/agent; pwd; "
        "python -c 'import numpy, pandas, sklearn, PIL; print(numpy.ones(2).sum())'; ls /run/ca.crt"
    )
    done = subprocess.run(
        [docker.program, "run", "--rm", "--network", "none", BASE, "sh", "-c", script],
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    lines = done.stdout.split()
    assert lines[0] != "0"
    assert sorted(lines[1:6]) == ["/home/agent", "/home/code", "/home/data", "/home/logs", "/home/submission"]
    assert lines[6:] == ["/home/agent", "2.0"]
    assert "/run/ca.crt" in done.stderr  # the certificates of the build left no trace
