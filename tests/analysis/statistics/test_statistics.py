"""The examples in docstrings run."""

from __future__ import annotations

import doctest

import pytest

from mlebench.analysis import wording
from mlebench.analysis.statistics import attempts, correlation, effective, intervals, means, paired
from mlebench.analysis.studies import agreement


@pytest.mark.parametrize("module", [attempts, correlation, effective, intervals, means, paired, agreement, wording])
def test_docstring_examples(module: object) -> None:
    results = doctest.testmod(module)  # type: ignore[arg-type]
    assert results.attempted and not results.failed
