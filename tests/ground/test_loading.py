from __future__ import annotations

import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from mlebench.errors import DeclarationError
from mlebench.ground.loading import LazyFunction, import_function, load_module
from mlebench.tasks.registry import Registry

THREADS = 4
SLOW = "import time\ntime.sleep(0.05)\n"
"""Code that lets other threads run while it is loaded."""


@pytest.fixture
def code(tmp_path):
    """A function that writes a task's code and returns its path."""

    def write(text):
        path = tmp_path / "my-task" / "task.py"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        return path

    return write


def test_code_runs_at_the_first_call_and_only_once(code, tmp_path):
    path = code(f"with open({str(tmp_path / 'log')!r}, 'a') as log:\n    log.write('x')\ndouble = lambda x: 2 * x\n")
    double = LazyFunction(path, "double")
    assert not (tmp_path / "log").exists()
    assert [double(3), double(x=4), LazyFunction(path, "double")(5)] == [6, 8, 10]
    assert (tmp_path / "log").read_text() == "x"


@pytest.mark.parametrize("text", ["", "prepare = 7\n", "def prepared(): ...\n"])
def test_a_function_that_is_not_there_is_named(text, code):
    with pytest.raises(DeclarationError, match=r"task\.py has no function named 'prepare'"):
        LazyFunction(code(text), "prepare").load()


def test_missing_code_is_named(tmp_path):
    with pytest.raises(DeclarationError, match=r"task\.py does not exist"):
        load_module(tmp_path / "task.py")


def test_code_that_fails_is_read_again(code):
    before = set(sys.modules)
    with pytest.raises(ZeroDivisionError):
        load_module(code("1 / 0\n"))
    assert set(sys.modules) == before
    assert load_module(code("answer = 42\n")).answer == 42


def test_modules_of_two_tasks_are_apart(code, tmp_path):
    first = code("name = 'first'\n")
    second = tmp_path / "other" / "my-task" / "task.py"
    second.parent.mkdir(parents=True)
    second.write_text("name = 'second'\n")
    assert [load_module(path).name for path in (first, second)] == ["first", "second"]


def at_once(calls):
    """Call each function in a thread of its own, all at the same moment; return results and exceptions."""
    barrier = threading.Barrier(len(calls))

    def wait_and_call(call):
        barrier.wait(60)
        try:
            return call()
        except Exception as error:  # noqa: BLE001
            return error

    with ThreadPoolExecutor(len(calls)) as threads:
        return list(threads.map(wait_and_call, calls))


def functions_of(competition):
    """Return the functions of a task's code that its declaration names."""
    functions = [competition.check, competition.prepare_fn, competition.grader.grade_fn]
    return [function for function in functions if isinstance(function, LazyFunction)]


def test_threads_that_load_a_task_at_once_all_get_its_functions():
    for name in (registry := Registry()).list_competition_ids():
        functions = functions_of(registry.get_competition(name))
        for module in [key for key, module in sys.modules.items() if module_is_at(module, functions[0].path)]:
            del sys.modules[module]
        assert all(map(callable, at_once([function.load for function in functions] * THREADS))), name


def module_is_at(module, path):
    return getattr(module, "__name__", "").startswith("mlebench_task_") and module.__file__ == str(path)


def test_a_failure_reaches_every_thread_that_waits(code):
    path = code(SLOW + "def check(): ...\n1 / 0\n")
    before = set(sys.modules)
    results = at_once([LazyFunction(path, "check").load] * THREADS)
    assert [type(result) for result in results] == [ZeroDivisionError] * THREADS
    assert set(sys.modules) - before <= {"time"}


def test_tasks_that_load_each_other_can_be_loaded_at_once(tmp_path):
    paths = [tmp_path / name / "task.py" for name in ("left", "right")]
    for path, other in zip(paths, reversed(paths), strict=True):
        path.parent.mkdir()
        path.write_text(
            f"{SLOW}from pathlib import Path\nfrom mlebench.ground.loading import load_module\n"
            f"other = load_module(Path({str(other)!r}))\ndef check(): return other.check\n"
        )
    left, right = at_once([lambda path=path: load_module(path) for path in paths])
    assert (left.check(), right.check()) == (right.check, left.check)


@pytest.mark.parametrize("reference", ["", ":", "math", "math:", ":sqrt", "math:nothing", "math:pi", "none:f", "..:f"])
def test_a_reference_that_names_no_function_is_refused(reference):
    with pytest.raises(DeclarationError, match="does not name a function"):
        import_function(reference)
