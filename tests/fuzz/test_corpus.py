"""Every target keeps its contract on every input of its corpus, and the command reports a target that does not."""

from __future__ import annotations

import shutil
import subprocess
import sys

import pytest

from ..conftest import shared_folder
from .target import FOLDER, corpus, load, target_names

BROKEN = """
from contextlib import contextmanager

from ..target import Target


@contextmanager
def opened(folder, data):
    yield take


def take(content):
    if content[:1] == b"b":
        raise ValueError("broken")


TARGET = Target(opened)
"""


@pytest.fixture(scope="module")
def targets(tmp_path_factory):
    """A function that returns a target's function for one input."""
    data = shared_folder(tmp_path_factory, "prepared")
    opened = {}

    def get(name):
        if name not in opened:
            opened[name] = load(name).open(tmp_path_factory.mktemp(name), data)
            opened[name, "take"] = opened[name].__enter__()
        return opened[name, "take"]

    yield get
    for name in [key for key in opened if isinstance(key, str)]:
        opened[name].__exit__(None, None, None)


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.slow("tasks")] * (name == "submission")) for name in target_names()]
)
def test_the_target_keeps_its_contract_on_its_corpus(targets, name):
    take = targets(name)
    assert len(corpus(name)) >= 3
    for path in corpus(name):
        try:
            take(path.read_bytes())
        except BaseException as error:
            error.add_note(f"Repeat it: python -m tests.fuzz {name} --input {path}")
            raise


@pytest.fixture
def fuzz(tmp_path):
    """A function that fuzzes a broken target, in a copy of this folder."""
    pytest.importorskip("atheris", reason="there is no atheris for this platform")
    copy = tmp_path / "tests" / "fuzz"
    shutil.copytree(FOLDER, copy, ignore=shutil.ignore_patterns("targets", "corpus", "test_*", "__pycache__"))
    for folder in ("targets", "corpus/broken"):
        (copy / folder).mkdir(parents=True)
    (copy / "targets" / "broken.py").write_text(BROKEN)
    (copy / "corpus" / "broken" / "seed").write_bytes(b"c")

    def run(*arguments):
        command = [sys.executable, "-m", "tests.fuzz", *arguments]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=600, check=False)

    return run


@pytest.mark.slow("programs")
def test_a_finding_is_kept_and_can_be_repeated(fuzz, tmp_path):
    done = fuzz("broken", "--seconds", "300")
    assert done.returncode == 1, done.stdout
    assert "ValueError: broken" in done.stderr
    finding = next(path for path in (tmp_path / "tests/fuzz/corpus/broken").iterdir() if path.name != "seed")
    command = f"python -m tests.fuzz broken --input {finding.relative_to(tmp_path)}"
    assert f"Repeat it: {command}" in done.stderr
    again = fuzz(*command.split()[3:])
    assert again.returncode == 1 and "ValueError: broken" in again.stderr
    assert fuzz("broken", "--input", "tests/fuzz/corpus/broken/seed").returncode == 0


def test_an_unknown_target_is_refused():
    from .__main__ import parse

    with pytest.raises(SystemExit) as ended:
        parse(["zip"])
    assert ended.value.code == 2
