from __future__ import annotations

import pytest

from mlebench.errors import UnknownNameError
from mlebench.tasks.ref import TaskRef, Version


@pytest.mark.parametrize(
    ("label", "ref", "written"),
    [
        ("leaf", TaskRef("leaf"), "leaf"),
        ("leaf@v1", TaskRef("leaf"), "leaf"),
        ("leaf@", TaskRef("leaf"), "leaf"),
        ("leaf@v2", TaskRef("leaf", Version.V2), "leaf@v2"),
        ("", TaskRef(""), ""),
    ],
)
def test_a_label_is_read_and_written_without_the_first_version(label, ref, written):
    assert TaskRef.parse(label) == ref
    assert ref.label == str(ref) == written


@pytest.mark.parametrize("label", ["leaf@v9", "leaf@V2", "leaf@v2@v2", "leaf@ v2"])
def test_another_version_is_unknown(label):
    with pytest.raises(UnknownNameError, match="no version named"):
        TaskRef.parse(label)


def test_refs_are_sorted_by_id_and_then_by_version():
    labels = ["b", "a@v2", "a-b", "a"]
    assert [ref.label for ref in sorted(map(TaskRef.parse, labels))] == ["a", "a@v2", "a-b", "b"]
