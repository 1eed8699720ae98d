from __future__ import annotations

import sys

import pytest

from mlebench.errors import DeclarationError
from mlebench.ground.loading import LazyFunction, import_function, load_module


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


@pytest.mark.parametrize("reference", ["", ":", "math", "math:", ":sqrt", "math:nothing", "math:pi", "none:f", "..:f"])
def test_a_reference_that_names_no_function_is_refused(reference):
    with pytest.raises(DeclarationError, match="does not name a function"):
        import_function(reference)
