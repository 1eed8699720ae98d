import logging

from mlebench.data.progress import LabelledProgress, LogProgress, Step, StepRecorder, as_batch_progress
from mlebench.data.results import PrepareResult

DONE = PrepareResult(label="pictures", outcome="made", seconds=1.0)
FAILED = PrepareResult(label="posters", outcome="failed", seconds=1.0, error="The zip is damaged.")


def test_a_function_is_called_with_results_only():
    results = []
    progress = as_batch_progress(results.append)
    progress.step("pictures", Step.PREPARE, None)
    progress.advance("pictures", 1, 1)
    progress.message("pictures", "It waits.")
    progress.finished(DONE)
    assert results == [DONE]


def test_an_object_with_the_methods_is_taken_unchanged(batch):
    assert as_batch_progress(batch) is batch


def test_by_default_messages_and_results_are_logged(caplog):
    caplog.set_level(logging.INFO, logger="mlebench")
    LogProgress().message("100% done.")
    progress = as_batch_progress(None)
    progress.message("pictures", "It waits.")
    progress.message("", "All wait.")
    progress.finished(DONE)
    progress.finished(FAILED)
    assert caplog.messages == [
        "100% done.",
        "pictures: It waits.",
        "All wait.",
        "pictures: made",
        "posters: The zip is damaged.",
    ]


def test_a_label_is_added_to_what_happens(batch):
    LabelledProgress(batch, "pictures").message("It waits.")
    assert batch.messages == [("pictures", "It waits.")]


def test_steps_are_remembered_and_passed_on(progress):
    recorder = StepRecorder(progress)
    recorder.step(Step.UNPACK, 10)
    recorder.advance(4)
    recorder.advance(6)
    recorder.message("It is unpacked.")
    assert recorder.steps == {Step.UNPACK}
    assert (progress.steps, progress.done) == ([(Step.UNPACK, 10)], {Step.UNPACK: 10})
    assert progress.messages == ["It is unpacked."]
