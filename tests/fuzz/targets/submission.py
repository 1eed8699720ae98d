"""Submissions: from the bytes of a file to a score or a refusal, for tasks of every kind."""

from __future__ import annotations

import csv
import io
from contextlib import contextmanager
from typing import TYPE_CHECKING

from mlebench.data import prepare
from mlebench.grading.check import VALID, check_submission
from mlebench.grading.reports import Outcome
from mlebench.grading.scoring import score_submission
from mlebench.tasks.registry import Registry

from ..target import Target

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from mlebench.tasks.competition import Competition

TASKS = (
    "demo-breast-cancer", "demo-diabetes", "demo-digit-masks", "demo-sentences", "demo-wine", "spaceship-titanic",
    "vinbigdata-chest-xray-abnormalities-detection", "ventilator-pressure-prediction", "tweet-sentiment-extraction",
    "AI4Code", "kuzushiji-recognition", "uw-madison-gi-tract-image-segmentation", "champs-scalar-coupling",
    "billion-word-imputation", "osic-pulmonary-fibrosis-progression", "3d-object-detection-for-autonomous-vehicles",
    "siim-covid19-detection", "herbarium-2020-fgvc7", "new-york-city-taxi-fare-prediction",
    "smartphone-decimeter-2022", "hms-harmful-brain-activity-classification", "imet-2020-fgvc7",
    "hubmap-kidney-segmentation", "jigsaw-unintended-bias-in-toxicity-classification",
    "us-patent-phrase-to-phrase-matching",
    "multi-modal-gesture-recognition",
)  # fmt: skip
"""Tasks of every kind of values and of matching, by the first byte of an input, `a` for the first."""


@contextmanager
def opened(folder: Path, data: Path) -> Iterator[Callable[[bytes], None]]:
    registry = Registry(data)
    competitions: dict[str, Competition] = {}

    def take(content: bytes) -> None:
        label = TASKS[(content[0] - ord("a")) % len(TASKS)] if content else TASKS[0]
        if label not in competitions:
            found = registry.get_competition(label)
            prepare(found, rehearsal=not found.is_embedded)
            competitions[label] = found
        submit(competitions[label], content[1:], folder / "submission.csv")

    yield take


def submit(competition: Competition, content: bytes, path: Path) -> None:
    """Grade and check a submission; it may be refused, but nothing may fail."""
    path.write_bytes(file_of(content, competition.sample_submission))
    scoring = score_submission(path, competition)
    assert scoring.outcome in (Outcome.GRADED, Outcome.INVALID), f"{competition.id}: {scoring.reason}"
    assert (scoring.score is None) == (scoring.reason is not None)
    if scoring.reason is not None:
        assert scoring.reason.isprintable() and len(scoring.reason) < 1000, scoring.reason
    message = check_submission(path, competition)
    assert message.isprintable() and len(message) < 1000, message
    if competition.declaration is not None and competition.declaration.grade_gets == "aligned":
        assert message != VALID or scoring.outcome is Outcome.GRADED, f"{competition.id}: {scoring.reason}"


def file_of(content: bytes, sample: Path) -> bytes:
    """Return the file that an input describes.

    An input that begins with `=` is the file. Any other is a list of changes of the sample submission, one per line:
    `ROW COLUMN TEXT` replaces a cell, `ROW -` removes a row and `ROW +` repeats one. Random bytes would hardly have
    the right ids.
    """
    if content.startswith(b"="):
        return content[1:]
    rows = [[_quoted(cell) for cell in row] for row in csv.reader(io.StringIO(sample.read_text(encoding="utf-8")))]
    for line in content.split(b"\n"):
        place, _, change = line.partition(b" ")
        if not place.isdigit() or len(place) > 6 or not rows:
            continue
        row = int(place) % len(rows)
        if change in (b"-", b"+"):
            rows[row : row + 1] = [rows[row]] * (2 if change == b"+" else 0)
            continue
        column, separator, text = change.partition(b" ")
        if separator and column.isdigit() and len(column) < 6 and rows[row]:
            rows[row] = list(rows[row])
            rows[row][int(column) % len(rows[row])] = text
    return b"\n".join(b",".join(row) for row in rows) + b"\n"


def _quoted(cell: str) -> bytes:
    return b'"' + cell.replace('"', '""').encode() + b'"' if set(cell) & set(',"\r\n') else cell.encode()


TARGET = Target(
    opened,
    words=(b"nan", b"inf", b"-inf", b"1e309", b"-1", b"0.5", b"True", b",", b'"', b"\r", b"\n", b"=id,", b" 1 ",
           b"1 1 ", b"0 0 ", b" - ", b"\xef\xbb\xbf", b"\0", b"99999999999999999999", b"0x10", b"1_000", b"NA",
           b"[]", b"{}"),
    max_bytes=2048,
)  # fmt: skip
