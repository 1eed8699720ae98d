"""The checks of the battery: each yields the problems that it finds, one sentence each."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

from mlebench.battery.corruptions import corruptions_to_refuse
from mlebench.battery.prepared import row_keys
from mlebench.data import get_checksum
from mlebench.grading.check import VALID, check_submission
from mlebench.grading.judge import judge
from mlebench.grading.reports import Outcome
from mlebench.ground.tables import read_csv
from mlebench.tasks.shape import Match

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    import pandas as pd

    from mlebench.battery.prepared import PreparedTask
    from mlebench.tasks.competition import Competition

REQUIRED_FILES = ("competition.yaml", "task.py", "brief.md", "brief_obfuscated.md", "leaderboard.csv")
REQUIRED_SECTIONS = ("files", "evaluation", "submission")


def check_files(folder: Path) -> Iterator[str]:
    """Check that the folder has the files of a competition."""
    missing = [name for name in REQUIRED_FILES if not (folder / name).is_file()]
    if missing:
        yield f"The folder {folder} lacks {', '.join(missing)}."


def check_leaderboard(competition: Competition) -> Iterator[str]:
    """Check the order of the leaderboard."""
    scores = list(competition.standings.scores)
    if scores != sorted(scores, reverse=not competition.lower_is_better):
        yield "The leaderboard is not sorted, best first."


def check_rehearsal(competition: Competition) -> Iterator[str]:
    """Check that there are rehearsal data, exactly where data are not embedded."""
    if (competition.folder is not None) and (competition.folder / "rehearsal.zip").exists() == competition.is_embedded:
        yield "A folder needs either rehearsal.zip or, in its declaration, a function that makes the raw data (raw)."


def check_briefs(competition: Competition) -> Iterator[str]:
    """Check the sections of both briefs, and that the obfuscated one does not give the task away."""
    for obfuscated, name in ((False, "brief.md"), (True, "brief_obfuscated.md")):
        text = competition.brief(obfuscated=obfuscated)
        headings = " ".join(re.findall(r"^## (.*)$", text, flags=re.MULTILINE)).casefold()
        if not text.startswith("# "):
            yield f"{name} must begin with a title, such as: # A task."
        for section in REQUIRED_SECTIONS:
            if section not in headings:
                yield f"{name} has no section on {section}."
    words = competition.declaration.telltale_words if competition.declaration else ()
    text = competition.brief(obfuscated=True).replace(competition.sample_submission.name, "").casefold()
    for word in (*words, competition.name):
        if word.casefold() in text:
            yield f"brief_obfuscated.md gives the task away: it contains {word!r}."


def check_repeatability(first: Competition, second: Competition) -> Iterator[str]:
    """Compare the files of two preparations of the same competition."""
    one, two = _checksums(first), _checksums(second)
    for name in sorted(one.keys() | two.keys()):
        if one.get(name) != two.get(name):
            yield f"preparing twice gives two different files {name}."


def check_public_files(task: PreparedTask, tested: pd.DataFrame | None = None) -> Iterator[str]:
    """Look for answers in the public files.

    Parameters
    ----------
    task : PreparedTask
        The prepared competition.
    tested : DataFrame, optional
        Columns that identify the test rows in other files; by default the ids.
    """
    competition = task.competition
    checksums = _checksums(competition)
    private = {digest for name, digest in checksums.items() if name.startswith("private/")}
    sample = get_checksum(competition.sample_submission)  # the public files may hold copies of it
    if tested is None:
        ids = task.shape.ids
        tested = task.sample[ids] if set(ids) <= set(task.sample.columns) else task.sample[[]]
    columns = list(tested.columns)
    for name, digest in checksums.items():
        path = competition.prepared_dir / name
        if not name.startswith("public/") or digest == sample:
            continue
        if digest in private:
            yield f"{name} is a copy of a file with answers."
        elif path.suffix == ".csv" and columns:
            frame = read_csv(path)
            if not set(columns) <= set(frame.columns) or not set(task.targets) & set(frame.columns):
                continue
            if row_keys(frame, columns, str).isin(row_keys(tested, columns, str)).any():
                yield f"{name} holds answers of test rows."


def _checksums(competition: Competition) -> dict[str, str]:
    """Return the checksums of the prepared files, by name."""
    prepared = competition.prepared_dir
    return {
        path.relative_to(prepared).as_posix(): get_checksum(path)
        for part in (competition.public_dir, competition.private_dir)
        for path in sorted(part.rglob("*"))
        if path.is_file()
    }


def check_grading(task: PreparedTask) -> Iterator[str]:
    """Grade the sample, the right answers, a mixture in several orders, and invalid submissions."""
    if problems := list(check_sample(task)):
        yield from problems
        return
    problems = list(check_answers(task))
    yield from problems or check_order(task)
    for corruption in corruptions_to_refuse(task.declaration):
        verdict, message = task.submit(corruption(task))
        if verdict.outcome is not Outcome.INVALID or message == VALID:
            what = corruption.__name__.replace("_", " ")
            yield f"a submission {what} is {verdict.outcome}, and the submission check answers: {message}"


def check_sample(task: PreparedTask) -> Iterator[str]:
    """Grade the sample submission."""
    path = task.competition.sample_submission
    verdict, message = judge(path, task.competition), check_submission(path, task.competition)
    if verdict.outcome is not Outcome.GRADED or message != VALID:
        yield f"the sample submission is not graded: {verdict.reason or message}"


def check_answers(task: PreparedTask) -> Iterator[str]:
    """Compare the score of the right answers, if they have the form of a submission, with the sample's."""
    if task.gold is None:
        return
    competition, metric = task.competition, task.declaration.resolved_metric
    verdict, message = task.submit(task.gold)
    if verdict.score is None or message != VALID:
        yield f"the right answers are not graded: {verdict.reason or message}"
        return
    sample = judge(competition.sample_submission, competition).score
    if math.isclose(verdict.score, metric.best, rel_tol=0, abs_tol=1e-9) or sample is None:
        return
    is_better = competition.standings.is_better(verdict.score, sample)
    if not is_better and (math.isnan(verdict.score) or not math.isnan(sample)):
        yield f"the right answers score {verdict.score:g}, no better than the sample's {sample:g}."


def check_order(task: PreparedTask, *, rows: bool = True) -> Iterator[str]:
    """Check that the order of a submission's rows and columns does not change its score.

    Parameters
    ----------
    task : PreparedTask
        The prepared competition.
    rows : bool
        Whether to shuffle rows too, if the competition pairs them by id.
    """
    frame, shape = task.mixed, task.shape
    if frame is None:
        return
    shuffled = []
    if rows and shape.match not in (Match.POSITION, Match.ORDER):
        shuffled += [("rows", frame.iloc[::-1]), ("rows", frame.sample(frac=1, random_state=0))]
    ids = shape.ids if shape.ids_first else []
    if task.declaration.grade_gets == "aligned" and not shape.columns_in_order:
        shuffled.append(("columns", frame[[*ids, *frame.columns[::-1].difference(ids, sort=False)]]))
    verdict, message = task.submit(frame)
    if verdict.score is None:
        yield f"the right answers mixed with the sample's are not graded: {verdict.reason or message}"
        return
    score = repr(verdict.score)  # NaN equals itself as text
    for what in dict.fromkeys(what for what, changed in shuffled if repr(task.submit(changed)[0].score) != score):
        yield f"the order of the {what} changes the score."
