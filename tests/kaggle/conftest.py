"""A Kaggle server on this machine, and an environment without the user's own credentials."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from mlebench.kaggle import KaggleClient, RetryPolicy

from .server import FakeKaggle, leaf

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

LEAF = "leaf-classification"
QUICK = RetryPolicy(
    max_attempts=4, max_interruptions=4, backoff=0.01, max_rate_limit_wait=3.0, connect_timeout=60.0, read_timeout=60.0
)


@pytest.fixture
def bare(tmp_path: Path) -> dict[str, str]:
    """An environment without a trace of Kaggle, in a home of its own."""
    home = tmp_path / "home"
    home.mkdir()
    kept = {
        name: value for name, value in os.environ.items() if "KAGGLE" not in name and not name.lower().endswith("proxy")
    }
    return kept | {"HOME": str(home), "XDG_CONFIG_HOME": str(home / ".config"), "XDG_CACHE_HOME": str(home / ".cache")}


@pytest.fixture
def kaggle(bare: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeKaggle]:
    """A running Kaggle with one competition; the library of this process is led there, with good credentials."""
    with FakeKaggle({LEAF: leaf()}).running() as fake:
        for name in os.environ.keys() - bare.keys():
            monkeypatch.delenv(name)
        for name, value in (bare | fake.environment).items():
            monkeypatch.setenv(name, value)
        yield fake


@pytest.fixture
def client(kaggle: FakeKaggle) -> KaggleClient:
    """A client that does not wait long."""
    return KaggleClient(QUICK)
