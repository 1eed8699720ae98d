import pytest

from mlebench.runs.progress import as_progress

from ..analysis.records import make_run, make_verdict
from .conftest import Recorder


def test_a_function_is_called_with_runs_that_start_or_finish_only():
    told = []
    progress = as_progress(told.append)
    run = make_run()
    progress.started(run)
    progress.event(run, "kind", kind="a fact may have any name")
    progress.finished(make_run(verdict=make_verdict()))
    assert told == [run, make_run(verdict=make_verdict())]


@pytest.mark.parametrize("progress", [Recorder(), as_progress(None)])
def test_an_object_with_the_methods_is_taken_unchanged(progress):
    assert as_progress(progress) is progress


def test_without_progress_everything_is_accepted():
    progress = as_progress(None)
    assert progress.started(make_run()) is progress.event(make_run(), "kind", a=1) is progress.finished(make_run())
