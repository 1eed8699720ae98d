"""Base images from a root file system."""

from __future__ import annotations

import pytest

from mlebench.errors import EnvironmentUnfitError
from mlebench.images.rootfs import import_rootfs


def test_an_empty_folder_is_refused(docker, tmp_path):
    with pytest.raises(EnvironmentUnfitError, match="no usr/bin"):
        import_rootfs(docker, tmp_path)
