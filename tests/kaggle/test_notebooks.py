"""Public notebooks: their names beside the task, their sources in the cache."""

from __future__ import annotations

import json

import pytest

import mlebench
from mlebench.errors import RateLimitError
from mlebench.kaggle.models import source_suffix
from mlebench.kaggle.notebooks import NAMES, cached_path, fetch_notebooks, notebook_names
from mlebench.tasks.registry import Registry

from .server import Fault

LEAF = "leaf-classification"


def blob(source: str, kind: str = "notebook", language: str = "python") -> dict[str, str]:
    return {"source": source, "language": language, "kernelType": kind, "slug": "x"}


def test_names_of_all_competitions_are_well_formed_and_there_once():
    registry = Registry()
    for name in registry.list_competition_ids():
        competition = registry.get_competition(name)
        path = competition.folder / NAMES
        lines = path.read_text().split() if path.is_file() else []
        assert notebook_names(competition) == lines, name
        assert not (lines and competition.is_embedded)


def test_sources_are_fetched_once_and_missing_ones_are_remembered(kaggle, client, tmp_path):
    kaggle.kernels = {"one/first": blob("{}"), "two/second-try": blob("print(1)", "script")}
    names = ["one/first", "two/second-try", "three/gone"]
    missing = fetch_notebooks(client, names, tmp_path / "kernels")
    assert missing.keys() == {"three/gone"}
    assert cached_path(tmp_path / "kernels", "one/first").read_text() == "{}"
    assert cached_path(tmp_path / "kernels", "two/second-try").name == "two__second-try.py"
    assert cached_path(tmp_path / "kernels", "three/gone") is None
    assert fetch_notebooks(client, names, tmp_path / "kernels") == missing
    assert kaggle.count("GetKernel") == 3
    kaggle.kernels["three/gone"] = blob("{}")
    assert fetch_notebooks(client, names, tmp_path / "kernels", again=True) == {}
    assert kaggle.count("GetKernel") == 6
    assert json.loads((tmp_path / "kernels/missing.json").read_text()) == {}


def test_python_downloads_all_notebooks_of_a_competition(kaggle, client, tmp_path):
    names = notebook_names(Registry().get_competition(LEAF))
    kaggle.kernels = dict.fromkeys(names[1:], blob("{}"))
    found = mlebench.download_kernels(LEAF, tmp_path / "kernels", client=client)
    assert list(found.notebooks) == names[1:]
    assert list(found.missing) == names[:1]
    assert all(path.parent == found.folder for path in found.notebooks.values())


def test_a_private_notebook_does_not_stop_the_others(kaggle, client, tmp_path):
    kaggle.kernels = {"one/n0": blob("{}"), "one/n1": blob("{}")}
    kaggle.faults.append(Fault("GetKernel", 403))
    assert fetch_notebooks(client, list(kaggle.kernels), tmp_path).keys() == {"one/n0"}
    assert cached_path(tmp_path, "one/n1")


def test_what_is_there_stays_when_kaggle_has_enough(kaggle, client, tmp_path):
    kaggle.kernels = {f"one/n{at}": blob("{}") for at in range(4)}
    fetch_notebooks(client, ["one/n0", "one/n1"], tmp_path)
    kaggle.faults.append(Fault("GetKernel", 429, {"Retry-After": "100"}))
    with pytest.raises(RateLimitError, match="2 of 4 notebooks are downloaded"):
        fetch_notebooks(client, list(kaggle.kernels), tmp_path)
    assert fetch_notebooks(client, list(kaggle.kernels), tmp_path) == {}


@pytest.mark.parametrize(
    ("language", "kind", "suffix"),
    [
        ("Python", "Notebook", ".ipynb"),
        ("r", "notebook", ".ipynb"),
        ("rmarkdown", "script", ".Rmd"),
        ("x", "y", ".txt"),
    ],
)
def test_suffixes(language, kind, suffix):
    assert source_suffix(language, kind) == suffix
