"""Images are built and listed from Python and from the command line."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

import mlebench
from mlebench.errors import UnknownNameError, UsageError

BASE = "mlebench/base:minimal"


def test_an_image_of_the_same_inputs_is_not_built_again(docker):
    base = docker.inspect_image(BASE).labels["mlebench.base"]
    (built,) = mlebench.build_image("minimal", base=base)
    assert not built.is_new
    assert built.image in mlebench.list_images()
    (listed,) = json.loads(run("image", "build", "--variant", "minimal", "--base", base, "--json").stdout)
    assert (listed["tag"], listed["built"]) == (built.image.tag, False)


def test_the_command_lists_the_images_of_mlebench(docker):
    listed = json.loads(run("image", "list", "--json").stdout)
    assert {image["kind"] for image in listed} <= {"base", "agent"}


def test_only_one_source_of_the_base_can_be_named():
    with pytest.raises(UsageError, match="exclude each other"):
        mlebench.build_image(base="x", bootstrap=True)
    refused = run("image", "build", "--base", "x", "--bootstrap")
    assert (refused.returncode, refused.stdout) == (2, "")


def test_unknown_names_and_missing_certificates_are_refused(tmp_path):
    with pytest.raises(UsageError, match="certificates"):
        mlebench.build_image(ca_bundle=tmp_path / "none.crt")
    with pytest.raises(UnknownNameError, match="docker"):
        mlebench.list_images("doker")
    assert run("image", "list", "--engine", "doker").returncode == 1


def run(*arguments):
    return subprocess.run(
        [sys.executable, "-m", "mlebench", *arguments], capture_output=True, text=True, check=False, timeout=120
    )
