"""The examples in the docstrings of statistics run."""

from __future__ import annotations

import doctest

import pytest

from mlebench.analysis.statistics import attempts, correlation, intervals, means, paired


@pytest.mark.parametrize("module", [attempts, correlation, intervals, means, paired])
def test_docstring_examples(module: object) -> None:
    results = doctest.testmod(module)  # type: ignore[arg-type]
    assert results.attempted and not results.failed
