"""v1 hands out each photo twice, and v2 once."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize(("version", "archives"), [("v1", {"train.zip", "test.zip"}), ("v2", set())])
def test_archives_beside_the_folders(version, archives, prepared):
    public = prepared(f"dogs-vs-cats-redux-kernels-edition@{version}").public_dir
    assert {path.name for path in public.glob("*.zip")} == archives
    assert {path.name for path in public.iterdir() if path.is_dir()} == {"train", "test"}
