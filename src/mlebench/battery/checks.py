"""The checks of the battery: each yields what is wrong, a sentence each."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

from mlebench.battery.faults import faults_of
from mlebench.battery.material import keys
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

    from mlebench.battery.material import Material
    from mlebench.tasks.competition import Competition

NEEDED = ("competition.yaml", "task.py", "brief.md", "brief_obfuscated.md", "leaderboard.csv")
HEADINGS = ("files", "evaluation", "submission")


def of_folder(folder: Path) -> Iterator[str]:
    missing = [name for name in NEEDED if not (folder / name).is_file()]
    if missing:
        yield f"The folder {folder} lacks {', '.join(missing)}."


def of_leaderboard(competition: Competition) -> Iterator[str]:
    scores = list(competition.standings.scores)
    if scores != sorted(scores, reverse=not competition.lower_is_better):
        yield "The leaderboard is not sorted, best first."


def of_rehearsal(competition: Competition) -> Iterator[str]:
    if (competition.folder is not None) and (competition.folder / "rehearsal.zip").exists() == competition.is_embedded:
        yield "There must be a rehearsal.zip, unless the declaration names a function that makes the raw data (raw)."


def of_texts(competition: Competition) -> Iterator[str]:
    for obfuscated, name in ((False, "brief.md"), (True, "brief_obfuscated.md")):
        text = competition.brief(obfuscated=obfuscated)
        headings = " ".join(re.findall(r"^## (.*)$", text, flags=re.MULTILINE)).casefold()
        if not text.startswith("# "):
            yield f"{name} must begin with a title, as in: # A task."
        for word in HEADINGS:
            if word not in headings:
                yield f"{name} has no section on {word}."
    words = competition.declaration.telltale_words if competition.declaration else ()
    shown = competition.brief(obfuscated=True).replace(competition.sample_submission.name, "").casefold()
    for word in (*words, competition.name):
        if word.casefold() in shown:
            yield f"brief_obfuscated.md gives the task away: it holds {word!r}."


def of_preparation(competition: Competition, again: Competition) -> Iterator[str]:
    """Compare two preparations."""
    one, two = _checksums(competition), _checksums(again)
    for name in sorted(one.keys() | two.keys()):
        if one.get(name) != two.get(name):
            yield f"preparing twice gives two different files {name}."


def of_public_files(material: Material, tested: pd.DataFrame | None = None) -> Iterator[str]:
    """Look for answers among the files handed out.

    `tested` holds columns by which test rows are known in other files; without it, these are the ids.
    """
    competition = material.competition
    checksums = _checksums(competition)
    secret = {digest for name, digest in checksums.items() if name.startswith("private/")}
    sample = get_checksum(competition.sample_submission)  # of which there may be copies
    if tested is None:
        ids = material.shape.ids
        tested = material.sample[ids] if set(ids) <= set(material.sample.columns) else material.sample[[]]
    columns = list(tested.columns)
    for name, digest in checksums.items():
        path = competition.prepared_dir / name
        if not name.startswith("public/") or digest == sample:
            continue
        if digest in secret:
            yield f"{name} is one of the files with the answers."
        elif path.suffix == ".csv" and columns:
            frame = read_csv(path)
            if not set(columns) <= set(frame.columns) or not set(material.targets) & set(frame.columns):
                continue
            if keys(frame, columns, str).isin(keys(tested, columns, str)).any():
                yield f"{name} holds answers of test rows."


def _checksums(competition: Competition) -> dict[str, str]:
    prepared = competition.prepared_dir
    return {
        path.relative_to(prepared).as_posix(): get_checksum(path)
        for part in (competition.public_dir, competition.private_dir)
        for path in sorted(part.rglob("*"))
        if path.is_file()
    }


def of_grading(material: Material) -> Iterator[str]:
    """Grade the sample, the right answers, a mixture in several orders, and submissions that are faulty."""
    if unfit := list(of_sample(material)):
        yield from unfit
        return
    unfit = list(of_answers(material))
    yield from unfit or of_order(material)
    for fault in faults_of(material.declaration):
        verdict, said = material.tried(fault(material))
        if verdict.outcome is not Outcome.INVALID or said == VALID:
            what = fault.__name__.replace("_", " ")
            yield f"a submission {what} is {verdict.outcome}, and the check for agents says: {said}"


def of_sample(material: Material) -> Iterator[str]:
    competition = material.competition
    path = competition.sample_submission
    verdict, said = judge(path, competition), check_submission(path, competition)
    if verdict.outcome is not Outcome.GRADED or said != VALID:
        yield f"the sample submission is not graded: {verdict.reason or said}"


def of_answers(material: Material) -> Iterator[str]:
    """Compare the right answers, where they have the form of a submission, with the sample submission."""
    if material.gold is None:
        return
    competition, metric = material.competition, material.declaration.resolved_metric
    verdict, said = material.tried(material.gold)
    if verdict.score is None or said != VALID:
        yield f"the right answers are not graded: {verdict.reason or said}"
        return
    sample = judge(competition.sample_submission, competition).score
    if math.isclose(verdict.score, metric.best, rel_tol=0, abs_tol=1e-9) or sample is None:
        return
    is_better = competition.standings.is_better(verdict.score, sample)
    if not is_better and (math.isnan(verdict.score) or not math.isnan(sample)):
        yield f"the right answers score {verdict.score:g}, no better than the sample's {sample:g}."


def of_order(material: Material, *, rows: bool = True) -> Iterator[str]:
    """Shuffle a submission that is half right; `rows` says whether rows, too, where they are paired by id."""
    frame, shape = material.mixed, material.shape
    if frame is None:
        return
    shuffled = []
    if rows and shape.match not in (Match.POSITION, Match.ORDER):
        shuffled += [("rows", frame.iloc[::-1]), ("rows", frame.sample(frac=1, random_state=0))]
    ids = shape.ids if shape.ids_first else []
    if material.declaration.grade_gets == "aligned" and not shape.columns_in_order:
        shuffled.append(("columns", frame[[*ids, *frame.columns[::-1].difference(ids, sort=False)]]))
    verdict, said = material.tried(frame)
    if verdict.score is None:
        yield f"the right answers mixed with the sample's are not graded: {verdict.reason or said}"
        return
    wanted = repr(verdict.score)  # by which NaN equals itself
    for what in {what: None for what, changed in shuffled if repr(material.tried(changed)[0].score) != wanted}:
        yield f"the order of the {what} changes the score."
