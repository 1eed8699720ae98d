"""The record of a run, as `verify` and `log` read it."""

from __future__ import annotations

from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from mlebench.errors import MLEBenchError
from mlebench.runs import story
from mlebench.runs.artifacts import read_artifacts
from mlebench.runs.verify import fingerprint, verify

from ..json_mutations import mutate_lines
from ..target import Target
from .group import RUN, changed_files, example, write_whole

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path


@contextmanager
def opened(folder: Path, data: Path) -> Iterator[Callable[[bytes], None]]:
    group = folder / "group"
    write_whole(group, example(), RUN)
    with changed_files(group, RUN, read) as take:
        yield take


def read(group: Path) -> None:
    """Verify a group and its run, and tell the log; errors on purpose are allowed."""
    for folder in (group, group / RUN):
        with suppress(MLEBenchError):
            findings = verify(folder)
            assert all(found.path and found.text for found in findings)
            if not findings:
                fingerprint(folder)
    with suppress(MLEBenchError):
        for _, kind, sentence in story.story(story.log(group / RUN)):
            assert isinstance(kind, str) and sentence.isprintable()
    read_artifacts(group / RUN, 1)


TARGET = Target(
    opened,
    words=(
        b'"kind": "sealed"',
        b'"kind": "curve"',
        b'"kind": "graded"',
        b'"status": "ended"',
        b'"attempt": 2',
        b'"time": ',
    ),
    max_bytes=16384,
    mutate=mutate_lines,
)
