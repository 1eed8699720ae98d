from __future__ import annotations

import pytest

from mlebench.cli.data_progress import DataProgress
from mlebench.data.progress import Step
from mlebench.data.results import PrepareResult
from mlebench.errors import PreparationError

FAILED = PrepareResult.of_error("posters", 1.0, PreparationError("It is broken."))


def test_without_a_terminal_each_step_is_a_line(capsys):
    with DataProgress(1) as progress:
        progress.step("pictures", Step.DOWNLOAD, 2_000_000)
        progress.advance("pictures", 1_000_000, 0)
        progress.step("pictures", Step.UNPACK, None)
    assert capsys.readouterr().err.splitlines() == ["pictures: download, 2.0 MB", "pictures: unpack"]


@pytest.mark.parametrize(
    ("total", "text", "line"),
    [
        (2, "The disk is slow.", "pictures@v2: The disk is slow."),
        (2, "The archive of pictures is damaged.", "The archive of pictures is damaged."),
        (1, "The disk is slow.", "The disk is slow."),
    ],
)
def test_a_message_names_its_competition_once(capsys, total, text, line):
    with DataProgress(total) as progress:
        progress.message("pictures@v2", text)
    assert capsys.readouterr().err == f"{line}\n"


@pytest.mark.parametrize(
    ("total", "line"),
    [(1, "posters: failed: It is broken."), (3, "[1/3] posters: failed: It is broken.")],
)
def test_a_failure_is_counted_and_told(capsys, total, line):
    with DataProgress(total) as progress:
        progress.finished(FAILED)
    assert capsys.readouterr().err == f"{line}\n"


def test_bytes_of_a_competition_without_a_step_are_no_error(capsys):
    with DataProgress(1) as progress:
        progress.advance("pictures", 10, 1)
    assert capsys.readouterr().err == ""


def test_nothing_goes_to_standard_output(capsys):
    with DataProgress(2) as progress:
        progress.step("posters", Step.COPY, 0)
        progress.finished(FAILED)
    assert capsys.readouterr().out == ""
