"""What the tests share: registries bound to folders of their own, and rehearsal data prepared once."""

from __future__ import annotations

import os
import re
import signal
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

from mlebench.data import prepare
from mlebench.tasks.registry import FOLDERS_VARIABLE, Registry

from . import quick
from .engines import IMAGE, NoEngineError, engine_with_image

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from mlebench.sandbox.engine import Engine
    from mlebench.tasks.competition import Competition

    Prepared = Callable[[str], Competition]


settings.register_profile("default", deadline=None)  # machines may be busy
settings.load_profile("default")

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # A shell starts background jobs so. Programs that tests start would inherit it and survive Ctrl-C.
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(pluginmanager: pytest.PytestPluginManager) -> None:
    pluginmanager.register(quick, "quick")


@pytest.fixture(autouse=True, scope="session")
def _no_competitions_and_no_credentials_of_the_user(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv(FOLDERS_VARIABLE, raising=False)
        for name in [name for name in os.environ if name.startswith("KAGGLE_")]:
            patch.delenv(name)
        patch.setenv("KAGGLE_CONFIG_DIR", str(tmp_path_factory.mktemp("kaggle")))
        yield


@pytest.fixture(scope="session")
def require() -> Callable[[str | None], None]:
    """A function that skips a test which cannot run here; in CI, where nothing may be missing, it fails."""

    def require(obstacle: str | None) -> None:
        if obstacle is not None:
            (pytest.fail if os.environ.get("CI") else pytest.skip)(obstacle)

    return require


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
    """A Docker engine with the minimal image; give tests that use it a mark for a long time limit."""
    yield from _engine("docker", require)


@pytest.fixture(scope="session")
def podman(require: Callable[[str | None], None]) -> Iterator[Engine]:
    """Podman with the minimal image."""
    yield from _engine("podman", require)


@pytest.fixture
def registry(tmp_path: Path) -> Registry:
    """All competitions, bound to a data directory of the test's own."""
    return Registry(tmp_path / "data")


@pytest.fixture(scope="session")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Prepared:
    """A function from id (with or without `@v2`) to that competition, prepared from tiny data once a session.

    The prepared data are shared by all tests: read them, and copy what you mean to change.
    """
    shared = Registry(tmp_path_factory.mktemp("prepared"))
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
    """The competition that tests use when any would do: one id, one column of True and False."""
    return prepared("spaceship-titanic")


@pytest.fixture(scope="session")
def is_one_sentence() -> Callable[[str | None], bool]:
    """A function that says whether a reason is one printable sentence without braces, of bearable length."""

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
