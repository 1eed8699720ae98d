"""What must hold for every competition, tried on one folder: for authors of tasks outside this package.

`mlebench dev check-task FOLDER` prints what `problems_of` returns; a test says
`assert problems_of(folder, tmp_path) == []`.
"""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Any

from mlebench.competition import Competition, Version
from mlebench.data import get_checksum, prepare
from mlebench.errors import MLEBenchError
from mlebench.grade import VALID, check_submission, judge, load_answers
from mlebench.reports import Outcome
from mlebench.submission import Match, Values
from mlebench.tables import read_csv, write_csv

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    import pandas as pd

NEEDED = ("competition.yaml", "task.py", "brief.md", "brief_obfuscated.md", "leaderboard.csv")
HEADINGS = ("files", "evaluation", "submission")


def problems_of(folder: Path, scratch: Path) -> list[str]:
    """Try a competition's folder and return what is wrong with it, a sentence each; none if all is well.

    Data are prepared below the empty folder `scratch`, embedded ones or those of `rehearsal.zip`, in every version.
    """
    missing = [name for name in NEEDED if not (folder / name).is_file()]
    if missing:
        return [f"The folder {folder} lacks {', '.join(missing)}."]
    try:
        first = Competition.bind(folder, scratch / "first")
        found = list(_of_texts(first))
        versions = [Version.V1, *(first.declaration.versions if first.declaration else ())]
        for version in versions:
            competition = Competition.bind(folder, scratch / "first", version)
            again = Competition.bind(folder, scratch / "again", version)
            for each in (competition, again):
                prepare(each, rehearsal=not each.is_embedded)
            found += [f"{competition.label}: {problem}" for problem in _of_data(competition, again)]
            found += [f"{competition.label}: {problem}" for problem in _of_grading(competition, scratch)]
    except MLEBenchError as error:
        return [str(error)]
    return found


def _of_texts(competition: Competition) -> Iterator[str]:
    scores = list(competition.standings.scores)
    if scores != sorted(scores, reverse=not competition.lower_is_better):
        yield "The leaderboard is not sorted, best first."
    if (competition.folder is not None) and (competition.folder / "rehearsal.zip").exists() == competition.is_embedded:
        yield "There must be a rehearsal.zip, unless the declaration names a function that makes the raw data (raw)."
    for obfuscated, name in ((False, "brief.md"), (True, "brief_obfuscated.md")):
        text = competition.brief(obfuscated=obfuscated)
        headings = " ".join(re.findall(r"^## (.*)$", text, flags=re.MULTILINE)).casefold()
        if not text.startswith("# "):
            yield f"{name} must begin with a title, as in: # A task."
        for word in HEADINGS:
            if word not in headings:
                yield f"{name} has no section on {word}."
    words = competition.declaration.telltale_words if competition.declaration else ()
    shown = competition.brief(obfuscated=True).casefold()
    for word in (*words, competition.name):
        if word.casefold() in shown:
            yield f"brief_obfuscated.md gives the task away: it holds {word!r}."


def _of_data(competition: Competition, again: Competition) -> Iterator[str]:
    one, two = _checksums(competition), _checksums(again)
    for name in sorted(one.keys() | two.keys()):
        if one.get(name) != two.get(name):
            yield f"preparing twice gives two different files {name}."
    secret = {digest for name, digest in one.items() if name.startswith("private/")}
    sample = read_csv(competition.sample_submission)
    shape = competition.declaration.submission if competition.declaration else None
    ids = shape.ids if shape else []
    targets = set(shape.target_names(sample)) if shape else set()
    tested = set(map(tuple, sample[ids].astype(str).to_numpy())) if set(ids) <= set(sample.columns) else set()
    for name, digest in one.items():
        path = competition.prepared_dir / name
        if not name.startswith("public/") or digest == get_checksum(competition.sample_submission):
            continue
        if digest in secret:
            yield f"{name} is one of the files with the answers."
        elif path.suffix == ".csv" and ids:
            frame = read_csv(path)
            if not set(ids) <= set(frame.columns) or not targets & set(frame.columns):
                continue
            if tested & set(map(tuple, frame[ids].astype(str).to_numpy())):
                yield f"{name} holds answers of test rows."


def _checksums(competition: Competition) -> dict[str, str]:
    prepared = competition.prepared_dir
    return {
        path.relative_to(prepared).as_posix(): get_checksum(path)
        for part in (competition.public_dir, competition.private_dir)
        for path in sorted(part.rglob("*"))
        if path.is_file()
    }


def _of_grading(competition: Competition, scratch: Path) -> Iterator[str]:
    sample = read_csv(competition.sample_submission)
    submission = scratch / "submission.csv"

    def graded(frame: pd.DataFrame) -> tuple[Any, str]:
        write_csv(frame, submission)
        return judge(submission, competition), check_submission(submission, competition)

    verdict, said = graded(sample)
    if verdict.outcome is not Outcome.GRADED or said != VALID:
        yield f"the sample submission is not graded: {verdict.reason or said}"
        return
    gold, is_better = _gold(competition, sample), competition.standings.is_better
    if gold is not None:
        best, said = graded(gold)
        if best.outcome is not Outcome.GRADED or said != VALID:
            yield f"the right answers are not graded: {best.reason or said}"
        elif not (best.score == verdict.score or math.isnan(verdict.score) or is_better(best.score, verdict.score)):
            yield f"the right answers score {best.score:g}, no better than the sample's {verdict.score:g}."
        if _in_any_order(competition) and graded(gold.iloc[::-1])[0].score != best.score:
            yield "the order of the rows changes the score."
    for what, frame in _faults(competition, sample):
        verdict, said = graded(frame)
        if verdict.outcome is not Outcome.INVALID or said == VALID:
            yield f"a submission {what} is {verdict.outcome}, and the check for agents says: {said}"


def _gold(competition: Competition, sample: pd.DataFrame) -> pd.DataFrame | None:
    """Return the right answers as a submission, where they have that form."""
    import pandas as pd

    answers = load_answers(competition.gold_submission)
    columns = list(sample.columns)
    fits = isinstance(answers, pd.DataFrame) and set(columns) <= set(answers.columns) and len(answers) == len(sample)
    return answers[columns] if fits else None


def _in_any_order(competition: Competition) -> bool:
    return competition.declaration is None or competition.declaration.submission.match in (Match.IDS, Match.REPEATS)


def _faults(competition: Competition, sample: pd.DataFrame) -> Iterator[tuple[str, pd.DataFrame]]:
    if competition.declaration is None or competition.declaration.submission.match is not Match.IDS:
        return
    import pandas as pd

    shape = competition.declaration.submission
    target, id = shape.target_names(sample)[0], shape.ids[-1]
    yield "without its last row", sample.iloc[:-1]
    yield "with a row twice", pd.concat([sample, sample.iloc[:1]])
    yield "without a column of ids", sample.drop(columns=id)
    yield "without a target column", sample.drop(columns=target)
    repeated = sample[id].astype(object)
    repeated.iloc[0] = repeated.iloc[-1]
    if len(shape.ids) == 1 and len(sample) > 1:
        yield "with an id in another's place", sample.assign(**{id: repeated})
    if competition.declaration.check or shape.values not in (Values.TEXT, Values.ANYTHING):
        words = sample[target].astype(object)
        words.iloc[0] = "some words"
        yield "with words for a value", sample.assign(**{target: words})
