"""The recipes of the base image."""

from __future__ import annotations

import pytest

from mlebench.errors import UnknownNameError, UsageError
from mlebench.images.recipe import Recipe


@pytest.mark.parametrize("variant", ["minimal", "cpu", "cuda"])
def test_each_variant_has_its_files(variant):
    recipe = Recipe.for_base(variant)
    assert all(path.is_file() for _, path in recipe.files)
    dockerfile = dict(recipe.files)["Dockerfile"].read_text()
    assert "syntax=" not in dockerfile  # it would be fetched from a registry


def test_unknown_variants_are_refused_with_the_nearest_name():
    with pytest.raises(UnknownNameError, match="minimal"):
        Recipe.for_base("minimul")


def test_a_file_whose_name_leads_out_of_the_build_folder_is_refused(tmp_path):
    (tmp_path / "file").touch()
    recipe = Recipe("mlebench/agent-x", "x", "base", (("../file", tmp_path / "file"),))
    with pytest.raises(UsageError, match="leads out of the folder"):
        recipe.copy_files(tmp_path / "build")
