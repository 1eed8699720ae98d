"""The rule for tests that need something which a machine may lack."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.fixture(scope="session")
def require() -> Callable[[str | None], None]:
    """A function that skips a test which cannot run here; in CI, where nothing may be missing, it fails."""

    def require(obstacle: str | None) -> None:
        if obstacle is not None:
            (pytest.fail if os.environ.get("CI") else pytest.skip)(obstacle)

    return require
