from __future__ import annotations

import re

import pytest

from mlebench import errors
from mlebench.errors import MissingExtraError, MLEBenchError, UnknownNameError, UsageError

CLASSES = [each for each in vars(errors).values() if isinstance(each, type) and issubclass(each, MLEBenchError)]


@pytest.mark.parametrize(
    ("name", "known", "hint"),
    [
        ("acuracy", ["accuracy", "log_loss"], "did you mean 'accuracy'?"),
        ("ACCURACY", ["accuracy", "log_loss"], "did you mean 'accuracy'?"),
        ("log", ["accuracy", "log_loss"], "did you mean 'log_loss'?"),
        ("a", ["a-long-name", "another-name"], "there are a-long-name, another-name."),
        ("", ["b", "a"], "there are a, b."),
        ("x", map(str, range(9)), "there are 0, 1, 2, 3, 4, 5, 6, 7 and more."),
        ("x", map(str, range(8)), "there are 0, 1, 2, 3, 4, 5, 6, 7."),
        ("x", [], "there are none."),
    ],
)
def test_an_unknown_name_is_answered_with_the_nearest_or_those_there_are(name, known, hint):
    assert str(UnknownNameError("metric", name, known)) == f"There is no metric named {name!r}; {hint}"


def test_an_unknown_name_is_a_key_error_that_prints_as_a_sentence():
    with pytest.raises(KeyError) as caught:
        raise UnknownNameError("split", "x", [])
    assert str(caught.value) == "There is no split named 'x'; there are none."
    assert isinstance(caught.value, UsageError)


def test_a_missing_extra_is_an_import_error_with_the_command():
    with pytest.raises(ImportError, match=r"'py7zr'; install it with: pip install 'mlebench\[7z\]'"):
        raise MissingExtraError("py7zr", "7z")


def test_the_tree_in_the_docstring_is_that_of_the_classes():
    depths = {}
    path = []
    for line in errors.__doc__.splitlines():
        if found := re.match(r"    ([ │├└─]*)(\w+Error)\b", line):
            depth = len(found[1]) // 4
            path[depth:] = [found[2]]
            depths[found[2]] = path[depth - 1] if depth else None
    assert depths == {each.__name__: parent_of(each) for each in CLASSES}


def parent_of(error: type[MLEBenchError]) -> str | None:
    return None if error is MLEBenchError else error.__bases__[0].__name__
