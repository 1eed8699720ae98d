from __future__ import annotations

import pytest

from mlebench.errors import MLEBenchError


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["list", "--engine", "dokcer"], "docker"),
        (["build", "--engine", "dokcer"], "docker"),
        (["build", "--bootstrap", "--base", "debian"], "base"),
        (["build", "--agent", "dumy"], "dummy"),
    ],
)
def test_wrong_options_are_errors_before_anything_is_built(invoke, args, words):
    error = invoke("image", *args).exception
    assert isinstance(error, MLEBenchError)
    assert words in str(error)
