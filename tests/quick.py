"""The plugin behind `python -m tests --quick`: it selects the quick tests, and keeps slow ones out of them.

A quick test starts no program but `mlebench`, and none of its commands that start further programs. A test that is
repeated for every task is quick for the tasks in `TASKS`. All other tests are slow. A test's fixtures and parameters
tell that it is slow, or a mark does: `@pytest.mark.slow("programs")`.

Nobody needs to remember this. Whenever tests run, quick or not, a test fails if it is not slow but starts a program.
There is no bound on time.
"""

from __future__ import annotations

import os
import sys
from collections import Counter
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from mlebench.errors import UnknownNameError
from mlebench.tasks.ref import TaskRef
from mlebench.tasks.registry import Registry

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator, Sequence

TASKS = (
    "aerial-cactus-identification",
    "demo-digit-masks",
    "demo-wine",
    "jigsaw-toxic-comment-classification-challenge",
    "leaf-classification",
    "spaceship-titanic",
    "ventilator-pressure-prediction",
    "vinbigdata-chest-xray-abnormalities-detection",
)
"""The tasks that quick tests cover: tables, text, images, masks and boxes."""

KINDS = {
    "containers": "need Docker or Podman",
    "browser": "need Chromium",
    "agents": "install and run agents of other projects",
    "runs": "execute jobs in a sandbox",
    "programs": "start programs other than mlebench",
    "tasks": f"repeat a quick test for a task beyond the {len(TASKS)} of tests/quick.py",
}
"""The kinds of slow tests, and what the tests do. A test of several kinds counts as the first of them."""

FIXTURES = {
    "docker": "containers",
    "podman": "containers",
    "browser": "browser",
    "installed": "agents",
    "arena": "runs",
    "attack": "runs",
    "bench": "runs",
    "finished": "runs",
    "stage": "runs",
}
"""Fixtures that make a test slow, with its kind."""

BUSY_COMMANDS = {"demo", "prepare", "run", "study"}
"""Commands of mlebench that start programs of their own."""

LEFT_OUT = pytest.StashKey[Counter[str]]()


def kind_of(item: pytest.Item) -> str | None:
    """Return the kind of a slow test, or None if it is quick."""
    kinds = {FIXTURES[name] for name in getattr(item, "fixturenames", ()) if name in FIXTURES}
    for mark in item.iter_markers("slow"):
        if len(mark.args) != 1 or mark.args[0] not in KINDS:
            raise pytest.UsageError(f"{item.nodeid}: slow() takes one of {', '.join(KINDS)}.")
        kinds.add(mark.args[0])
    if callspec := getattr(item, "callspec", None):
        kinds.update(_kinds_of_parameters(callspec.params.values()))
    return next((kind for kind in KINDS if kind in kinds), None)


def _kinds_of_parameters(values: Any) -> Iterator[str]:
    for value in values:
        if isinstance(value, tuple) and _is_busy(value):  # the arguments of a command
            yield "programs"
        if not isinstance(value, str):
            continue
        if value in ("docker", "podman"):  # the name of a fixture that the test requests
            yield "containers"
        with suppress(UnknownNameError):
            if TaskRef.parse(value).competition_id in _other_tasks():
                yield "tasks"


def _is_busy(arguments: Sequence[object]) -> bool:
    return str(next(iter(arguments), None)) in BUSY_COMMANDS and "--help" not in arguments


@cache
def _other_tasks() -> frozenset[str]:
    return frozenset(Registry().list_competition_ids()).difference(TASKS)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--quick", action="store_true", help="run the quick tests only, and say what is left out")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "slow(kind): --quick leaves this test out; tests/quick.py lists the kinds")
    config.stash[LEFT_OUT] = Counter()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not config.option.quick:
        return
    kinds = [kind_of(item) for item in items]
    config.stash[LEFT_OUT].update(kind for kind in kinds if kind)
    config.hook.pytest_deselected(items=[item for item, kind in zip(items, kinds, strict=True) if kind])
    items[:] = [item for item, kind in zip(items, kinds, strict=True) if not kind]


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Tell the process that controls the workers of pytest-xdist what was left out."""
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["left_out"] = dict(session.config.stash[LEFT_OUT])


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Take what a worker left out; all workers collect the same tests."""
    node.config.stash[LEFT_OUT] = Counter(getattr(node, "workeroutput", {}).get("left_out"))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    left_out = config.stash[LEFT_OUT]
    if left_out:
        terminalreporter.section(f"--quick left out {left_out.total()} tests")
        for kind in filter(left_out.__getitem__, KINDS):
            terminalreporter.line(f"{left_out[kind]:5} {kind}: they {KINDS[kind]}")


_started: list[str] = []
"""The programs that the current test has started, except for quick calls of mlebench."""


def _note_program(event: str, arguments: tuple[Any, ...]) -> None:
    """Audit hook: note that this process starts a program or a copy of itself."""
    if event == "subprocess.Popen":
        argv = arguments[1] if not isinstance(arguments[1], (str, bytes)) else [arguments[1]]
        argv = [os.fsdecode(word) for word in argv]
        if argv[0] in ("lscpu", "uname"):  # joblib and `platform` ask for the processor, once in a process
            return
        if argv[:2] == ["file", "-b"]:  # py7zr, when it is imported, asks `platform` for the interpreter's word size
            return
        if argv[:3] != [sys.executable, "-m", "mlebench"] or _is_busy(argv[3:]):
            _started.append(" ".join(argv)[:100])
    elif event in ("os.exec", "os.fork", "os.forkpty", "os.posix_spawn", "os.spawn", "os.system"):
        _started.append(event)


sys.addaudithook(_note_program)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_setup() -> Generator[None]:
    _started.clear()
    return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None]:
    """Fail a quick test that started a program."""
    yield
    if _started and kind_of(item) is None:
        where = Path(item.path).name
        pytest.fail(f'{_started[0]!r} was started. Mark this test in {where}: @pytest.mark.slow("programs")', False)
