"""Grading again: a group whose files someone has changed, the list of its snapshots included."""

from __future__ import annotations

from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Self
from unittest.mock import patch

from mlebench.data import prepare
from mlebench.errors import MLEBenchError
from mlebench.grading.judge import judge
from mlebench.runs.curve import grade_snapshots
from mlebench.runs.reader import read_group
from mlebench.runs.record import CurveRecord
from mlebench.runs.regrade import regrade
from mlebench.runs.store import GroupStore
from mlebench.runs.verify import verify
from mlebench.tasks.registry import Registry

from ...analysis.records import make_group, make_run
from ..json_mutations import mutate_lines
from ..target import Target
from .group import changed_files, write_whole

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from mlebench.grading.reports import Verdict
    from mlebench.tasks.competition import Competition


class InThisProcess:
    """Grades without worker processes, which take a second to start."""

    gradings = 1

    def __init__(self, registry: Registry) -> None:
        del registry

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None: ...

    def judge(self, path: Path, competition: Competition) -> Verdict:
        return judge(path, competition)


@contextmanager
def opened(folder: Path, data: Path) -> Iterator[Callable[[bytes], None]]:
    wine = Registry(data).get_competition("demo-wine")
    prepare(wine)
    verdict = judge(wine.sample_submission, wine)
    run = make_run(wine.id, verdict=verdict)
    group = folder / "group"
    write_whole(group, make_group(run, log="group.jsonl"), run.run_id, wine.sample_submission.read_bytes())
    store = GroupStore.reopen(group)
    store.write_results()
    store.close()
    assert verify(group) == [], verify(group)

    def read(group: Path) -> None:
        """Make the curve of the run, and grade the group again; errors on purpose are allowed."""
        with suppress(MLEBenchError):
            curve = grade_snapshots(group / run.run_id / "attempts" / "1", verdict, lambda path: judge(path, wine))
            if curve is not None:
                CurveRecord.model_validate_json(curve.model_dump_json())
        with suppress(MLEBenchError):
            before, is_sound = read_group(group).runs, not verify(group)
            after = regrade(group, data_dir=data).runs
            assert [one.verdict for one in after] == [one.verdict for one in before]
            assert not (is_sound and verify(group))

    with patch("mlebench.runs.regrade.GradingPool", InThisProcess), changed_files(group, run.run_id, read) as take:
        yield take
        assert {path.name for path in folder.iterdir()} == {"group"}  # nothing was written outside of the group


TARGET = Target(
    opened,
    words=(
        b'"status": "ended"',
        b'"regrades": [',
        b'"attempt": 2',
        b'"sha256": ',
        b'"seconds": NaN',
        b'"version": "v2"',
    ),
    max_bytes=16384,
    mutate=mutate_lines,
)
