from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from mlebench.analysis.facts import find_facts, read_labels
from mlebench.analysis.model import CompetitionFacts
from mlebench.errors import ReportError
from mlebench.tasks.registry import registry

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("label", ["of-my-own", "", "leaf-classification@v999", "a@b@c"])
def test_a_label_that_no_task_has_is_no_error(label: str) -> None:
    assert list(find_facts([label], registry)) == [label]


def test_without_a_registry_nothing_is_known() -> None:
    assert find_facts(["leaf-classification"], None) == {"leaf-classification": CompetitionFacts()}


def test_facts_are_those_of_the_declaration_and_the_split() -> None:
    facts = find_facts(["leaf-classification"], registry)["leaf-classification"]
    assert (facts.complexity, facts.year) == ("low", 2017)
    assert "leak" in facts.problems


def test_the_fit_of_the_leaderboard_is_that_of_the_version() -> None:
    id = "movie-review-sentiment-analysis-kernels-only"
    found = find_facts([id, f"{id}@v2", "leaf-classification", "mine"], registry).values()
    assert [facts.fit for facts in found] == ["loose", "close", "void", None]
    assert [facts.headline for facts in found] == [True, True, False, True]


def test_your_category_replaces_the_declared_one() -> None:
    found = find_facts(["leaf-classification", "mine"], registry, {"leaf-classification": "Plants", "mine": "Mine"})
    assert [facts.category for facts in found.values()] == ["Plants", "Mine"]


def test_labels_are_read_with_a_byte_order_mark_and_other_columns(tmp_path: Path) -> None:
    path = tmp_path / "labels.csv"
    path.write_bytes(b"\xef\xbb\xbfnote,category,competition_id\nx,Plants,leaf-classification\n")
    assert read_labels(path) == {"leaf-classification": "Plants"}


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "no column 'category'"),
        (b"competition_id\na\n", "no column 'category'"),
        (b"category\nx\n", "no column 'competition_id'"),
        (b"competition_id,category\na,x\na,y\n", "Line 3"),
        (b"competition_id,category\n,x\n", "Line 2"),
        (b"competition_id,category\na,\n", "Line 2"),
        (b"competition_id,category\na\n", "Line 2"),
        (b"competition_id,category\n\xff,x\n", "Cannot read"),
    ],
)
def test_damaged_labels_are_an_error_that_names_the_place(tmp_path: Path, content: bytes, words: str) -> None:
    path = tmp_path / "labels.csv"
    path.write_bytes(content)
    with pytest.raises(ReportError, match=words):
        read_labels(path)


def test_labels_that_do_not_exist_are_an_error(tmp_path: Path) -> None:
    with pytest.raises(ReportError, match="Cannot read"):
        read_labels(tmp_path / "nothing.csv")
