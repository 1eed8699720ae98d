"""Fixtures for all tests: registries with data folders of their own, and prepared rehearsal data."""

from __future__ import annotations

import os
import re
import secrets
import shutil
import signal
import subprocess
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

from mlebench.data import prepare
from mlebench.tasks.registry import FOLDERS_VARIABLE, Registry

from . import quick
from .engines import IMAGE, NoEngineError, engine_with_image

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager
    from pathlib import Path

    from mlebench.sandbox.engine import Engine
    from mlebench.tasks.competition import Competition

    Prepared = Callable[[str], Competition]
    SmallDisk = tuple[Path, Callable[[int], None]]
    OwnTask = Callable[[str], tuple[Registry, Competition]]


TASK = """
import os, signal, subprocess, sys, time
from pathlib import Path
from mlebench.preparation import *

def grade(submission, answers):
    print("noise on standard output")
    if len(answers) != len(submission):
        raise AssertionError
    {code}

def check(submission):
    print("noise on standard output")
    {code}
"""
"""Code of a task whose grade function and check do what a test asks for."""

settings.register_profile("default", deadline=None)  # machines may be busy
settings.load_profile("default")

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # A shell starts background jobs so. Programs that tests start would inherit it and survive Ctrl-C.
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(parser: pytest.Parser, pluginmanager: pytest.PytestPluginManager) -> None:
    pluginmanager.register(quick, "quick")
    parser.addoption("--seed", type=int, help="seed of tests on random cases; by default a new one for each test")
    parser.addoption("--cases", type=int, default=200, help="random cases of each test that compares with a library")


def shared_folder(factory: pytest.TempPathFactory, name: str) -> Path:
    """Return a folder that all workers of this test run share."""
    base = factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / name
    folder.mkdir(exist_ok=True)
    return folder


@pytest.fixture(autouse=True, scope="session")
def _without_competitions_and_credentials_of_the_user(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv(FOLDERS_VARIABLE, raising=False)
        for name in [name for name in os.environ if name.startswith("KAGGLE_")]:
            patch.delenv(name)
        patch.setenv("KAGGLE_CONFIG_DIR", str(tmp_path_factory.mktemp("kaggle")))
        yield


@pytest.fixture(scope="session")
def require() -> Callable[[str | None], None]:
    """A function that skips a test if there is an obstacle; in CI, where nothing may be missing, it fails the test."""

    def require(obstacle: str | None) -> None:
        if obstacle is not None:
            (pytest.fail if os.environ.get("CI") else pytest.skip)(obstacle)

    return require


@pytest.fixture
def seed(request: pytest.FixtureRequest) -> int:
    """The seed for random cases. A failing test shows it, and `--seed` repeats the test."""
    seed: int = request.config.option.seed if request.config.option.seed is not None else secrets.randbits(32)
    print(f"Repeat this test with --seed {seed}")
    return seed


@pytest.fixture
def disk(tmp_path: Path, require: Callable[[str | None], None]) -> Callable[[int], AbstractContextManager[SmallDisk]]:
    """A function that mounts a disk of a given size: its folder, and a function that gives it another size."""
    place = tmp_path / "disk"
    place.mkdir()

    def mount(*options: str) -> None:
        done = subprocess.run(["mount", *options], capture_output=True, text=True, check=False)
        if done.returncode:
            require(f"no small disk can be mounted here: {done.stderr.strip()}")

    if os.geteuid() != 0:
        require("only root can mount a small disk")

    @contextmanager
    def sized(size: int) -> Iterator[SmallDisk]:
        mount("-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(place))
        try:
            yield place, lambda larger: mount("-o", f"remount,size={larger}", str(place))
        finally:
            subprocess.run(["umount", str(place)], check=True)

    return sized


def _engine(name: str, require: Callable[[str | None], None]) -> Iterator[Engine]:
    with pytest.MonkeyPatch.context() as patch:
        try:
            with engine_with_image(name) as engine:
                patch.setenv("MLEBENCH_IMAGE", IMAGE)
                yield engine
        except NoEngineError as error:
            require(str(error))


@pytest.fixture(scope="session")
def docker(require: Callable[[str | None], None]) -> Iterator[Engine]:
    """Docker with the minimal image."""
    yield from _engine("docker", require)


@pytest.fixture(scope="session")
def podman(require: Callable[[str | None], None]) -> Iterator[Engine]:
    """Podman with the minimal image."""
    yield from _engine("podman", require)


@pytest.fixture
def registry(tmp_path: Path) -> Registry:
    """All competitions, with a data folder of the test's own."""
    return Registry(tmp_path / "data")


@pytest.fixture(scope="session")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Prepared:
    """A function that returns a competition by its label, such as `leaf-classification@v2`, with tiny prepared data.

    All tests share the data. Read them, and copy what you want to change.
    """
    shared = Registry(shared_folder(tmp_path_factory, "prepared"))
    done: dict[str, Competition] = {}

    def get(label: str) -> Competition:
        if label not in done:
            competition = shared.get_competition(label)
            prepare(competition, rehearsal=not competition.is_embedded)
            done[label] = competition
        return done[label]

    return get


@pytest.fixture(scope="session")
def ship(prepared: Prepared) -> Competition:
    """The competition for tests that need any one: an id, and one column of True and False."""
    return prepared("spaceship-titanic")


@pytest.fixture
def own_task(tmp_path: Path, ship: Competition) -> OwnTask:
    """A function that makes a task from the code of its grade function and its check; the data are the ship's."""

    def make(code: str) -> tuple[Registry, Competition]:
        assert ship.folder is not None
        folder = tmp_path / "task"
        shutil.copytree(ship.folder, folder)
        declaration = (folder / "competition.yaml").read_text().replace("id: spaceship-titanic", "id: own")
        functions = "metric: accuracy_score\ngrade: grade\ncheck: check"
        (folder / "competition.yaml").write_text(declaration.replace("metric: accuracy_score", functions))
        (folder / "task.py").write_text(TASK.format(code=code))
        shutil.copytree(ship.prepared_dir, tmp_path / "data" / "own" / "prepared")
        registry = Registry(tmp_path / "data", (folder,))
        return registry, registry.get_competition("own")

    return make


@pytest.fixture(scope="session")
def is_one_sentence() -> Callable[[str | None], bool]:
    """A function that tells whether a text is one short printable sentence without braces."""

    def check(text: str | None) -> bool:
        if text is None or not text.isprintable() or len(text) > 500 or set("{}") & set(text):
            return False
        bare = re.sub(r"'[^']*'", "''", text)
        return text.endswith(".") and text[0].isupper() and not re.search(r"[.!?] [A-Z]", bare)

    return check


@pytest.fixture(scope="session")
def is_short_message() -> Callable[[str | None], bool]:
    """A function that tells whether an error message is printable, without braces, and one or two sentences long."""

    def check(text: str | None) -> bool:
        if text is None or not text.isprintable() or len(text) > 500 or set("{}") & set(text):
            return False
        bare = re.sub(r"'[^']*'", "''", text)
        return text[0].isupper() and len(re.findall(r"[.!?] [A-Z]", bare)) < 2

    return check
