from __future__ import annotations

import pytest

from mlebench.errors import MLEBenchError


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["--solution", "dumy", "-c", "leaf-classification"], "did you mean 'dummy'?"),
        (["--solution", "dummy", "-c", "leaf-clasification"], "did you mean 'leaf-classification'?"),
        (["--solution", "dummy"], "Select competitions"),
        (["--solution", "dummy", "-c", "leaf-classification", "--time-limit", "soon"], "A duration"),
        (["--solution", "dummy", "-c", "leaf-classification", "--sandbox", "process", "--no-send"], "--keep-raw"),
    ],
)
def test_a_study_that_cannot_begin_is_an_error_and_leaves_no_folder(invoke, tmp_path, args, words):
    error = invoke("study", "alignment", *args).exception
    assert isinstance(error, MLEBenchError)
    assert words in str(error)
    assert not (tmp_path / "alignment").exists()


def test_a_study_needs_a_solution(invoke):
    result = invoke("study", "alignment", "-c", "leaf-classification")
    assert result.exit_code == 2
    assert "--solution" in result.stderr
