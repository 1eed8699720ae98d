"""What is special to the embedded demo competitions; test_all.py tests what holds for all competitions."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from PIL import Image

from mlebench.data import differing_files
from mlebench.grading.answers import load_answers
from mlebench.grading.check import VALID, check_submission
from mlebench.grading.judge import judge
from mlebench.grading.reports import Outcome
from mlebench.ground.loading import load_module
from mlebench.ground.tables import read_csv, write_csv
from mlebench.tasks.medals import Medal
from mlebench.tasks.registry import Registry

REPOSITORY = Path(__file__).parents[2]
ALL = Registry()
IDS = ALL.get_split("demo")
each_id = pytest.mark.parametrize("competition_id", IDS)
both_briefs = pytest.mark.parametrize("obfuscated", [False, True], ids=["brief", "obfuscated brief"])


def rows_and_answers(competition) -> pd.DataFrame:
    """Return all rows of a competition, training and test, as id and answer."""
    train, answers = read_csv(competition.public_dir / "train.csv"), load_answers(competition.answers)
    if competition.id == "demo-wine":
        answers = answers[["id"]].assign(grower=answers.drop(columns="id").idxmax(axis=1))
    return pd.concat(
        [frame.set_axis(["id", "answer"], axis=1) for frame in (train[["id", train.columns[-1]]], answers)]
    )


def submit(competition, frame: pd.DataFrame, folder: Path):
    write_csv(frame, folder / "submission.csv")
    return judge(folder / "submission.csv", competition), check_submission(folder / "submission.csv", competition)


@each_id
def test_the_declaration_says_that_models_fill_the_leaderboard_and_warns_of_leaks(competition_id):
    declaration = ALL.get_declaration(competition_id)
    assert declaration.field == "models"
    assert declaration.raw == "make_raw"
    assert declaration.complexity == "low"
    assert "no evidence" in next(problem.text for problem in declaration.known_problems if problem.kind == "leak")


@each_id
def test_prepared_files_have_the_recorded_checksums(competition_id, prepared):
    competition = prepared(competition_id)
    assert differing_files(competition.checksums, competition.prepared_dir) == []


@each_id
def test_sample_submission_scores_what_is_declared(competition_id, prepared):
    competition = prepared(competition_id)
    verdict = judge(competition.sample_submission, competition)
    assert verdict.score == competition.declaration.sample_score
    assert verdict.medal is None
    assert not verdict.above_median


@each_id
def test_the_right_answers_get_the_best_score_and_gold(competition_id, prepared, tmp_path):
    competition = prepared(competition_id)
    verdict, _ = submit(competition, load_answers(competition.answers), tmp_path)
    assert verdict.score == pytest.approx(competition.grader.metric.best, abs=1e-9)
    assert verdict.medal is Medal.GOLD
    assert verdict.rank == 1


@each_id
def test_thresholds_separate_the_models_of_the_leaderboard(competition_id):
    competition = ALL.get_competition(competition_id)
    standings, better = competition.standings, competition.standings.is_better
    assert 100 <= len(standings.scores) < 250
    assert better(competition.grader.metric.best, standings.scores[0])
    thresholds = standings.thresholds
    steps = [standings.scores[0], thresholds.gold, thresholds.silver, thresholds.bronze, thresholds.median]
    assert all(better(first, second) for first, second in zip(steps, [*steps[1:], standings.scores[-1]], strict=True))


@each_id
def test_model_field_names_the_model_of_each_score(competition_id):
    competition = ALL.get_competition(competition_id)
    with (competition.folder / "model_field.csv").open(newline="", encoding="utf-8") as file:
        board = list(csv.DictReader(file))
    assert [float(row["score"]) for row in board] == list(competition.standings.scores)
    models = [row["model"] for row in board]
    assert len(set(models)) == len(models)
    assert not [model for model in models if " at 0x" in model or not model.isprintable()]


def test_model_field_is_the_declared_grid(monkeypatch):
    monkeypatch.syspath_prepend(REPOSITORY)
    from benchmarks import model_field, model_grids

    grids = {
        "demo-breast-cancer": model_grids.table_classifiers,
        "demo-wine": model_grids.table_classifiers,
        "demo-digits": model_grids.digit_classifiers,
        "demo-diabetes": model_grids.regressors,
        "demo-sentences": model_grids.text_classifiers,
    }
    assert set(model_field.FIELDS) == set(IDS) == {*grids, "demo-digit-masks"}
    for competition_id, grid in grids.items():
        board = read_csv(ALL.get_competition(competition_id).folder / "model_field.csv")
        assert sorted(board["model"]) == sorted(map(model_field.describe, grid())), competition_id


@each_id
def test_ids_and_row_order_do_not_reveal_the_answers(competition_id, prepared):
    competition = prepared(competition_id)
    rows = rows_and_answers(competition)
    for ordered in (rows.sort_values("id"), *(rows.iloc[part] for part in halves(competition, rows))):
        answers = ordered["answer"]
        if competition_id == "demo-digit-masks":
            answers = answers.str.split().map(lambda numbers: sum(map(int, numbers[1::2])))
        codes = answers if pd.api.types.is_numeric_dtype(answers) else pd.Series(answers.factorize(sort=True)[0])
        places = pd.Series(range(len(codes)))
        assert abs(np.corrcoef(places.rank(), codes.rank())[0, 1]) < 3.5 / len(codes) ** 0.5
        if answers.nunique() <= 14:
            chance = (answers.value_counts(normalize=True) ** 2).sum()
            same = np.mean(answers.to_numpy()[1:] == answers.to_numpy()[:-1])
            assert abs(same - chance) < 3.5 * (chance * (1 - chance) / len(answers)) ** 0.5


def halves(competition, rows: pd.DataFrame) -> tuple[slice, slice]:
    train_rows = len(read_csv(competition.public_dir / "train.csv"))
    return slice(0, train_rows), slice(train_rows, len(rows))


@each_id
def test_no_row_is_in_both_parts(competition_id, prepared):
    rows = rows_and_answers(prepared(competition_id))
    assert sorted(rows["id"]) == list(range(len(rows)))


@pytest.mark.parametrize(
    ("competition_id", "size", "mode"), [("demo-digits", (8, 8), "L"), ("demo-digit-masks", (32, 32), "RGB")]
)
def test_pictures_match_the_tables_and_hold_no_metadata(competition_id, size, mode, prepared):
    competition = prepared(competition_id)
    seen: set[bytes] = set()
    for table, folder in (("train.csv", "train"), ("sample_submission.csv", "test")):
        ids = read_csv(competition.public_dir / table)["id"]
        files = list((competition.public_dir / folder).iterdir())
        assert {path.name for path in files} == {f"{id}.png" for id in ids}
        for path in files:
            with Image.open(path) as picture:
                assert (picture.size, picture.mode, picture.info) == (size, mode, {})
                seen.add(picture.tobytes())
    assert len(seen) == len(rows_and_answers(competition))


# Briefs


@each_id
@both_briefs
def test_numbers_in_the_brief_are_right(competition_id, obfuscated, prepared):
    competition = prepared(competition_id)
    text = competition.brief(obfuscated=obfuscated)
    numbers = set(re.findall(r"\d+(?:\.\d+)?", text))
    for name in ("train.csv", "sample_submission.csv"):
        assert str(len(read_csv(competition.public_dir / name))) in numbers
    assert str(competition.declaration.sample_score) in numbers


@each_id
@both_briefs
def test_example_in_the_brief_is_part_of_a_valid_submission(competition_id, obfuscated, prepared, tmp_path):
    competition = prepared(competition_id)
    section = competition.brief(obfuscated=obfuscated).partition("## Submission")[2]
    lines = [line.strip() for line in section.partition("\n## ")[0].splitlines() if line.startswith("    ")]
    sample = competition.sample_submission.read_text(encoding="utf-8").splitlines()
    rows = [line for line in lines if line != sample[0]]
    assert [row.split(",")[0] for row in rows] == [row.split(",")[0] for row in sample[1 : len(rows) + 1]]
    path = tmp_path / "submission.csv"
    path.write_text("\n".join([sample[0], *rows, *sample[len(rows) + 1 :]]) + "\n", encoding="utf-8")
    assert check_submission(path, competition) == VALID
    assert judge(path, competition).outcome is Outcome.GRADED


# Masks


@pytest.mark.parametrize(
    ("mask", "reason"),
    [
        ("", None),
        ("1024 1", None),
        ("1 1024", None),
        ("31 4", None),
        ("1024 2", "runs beyond the picture"),
        ("2000 1", "runs beyond the picture"),
        ("1 2 3", "pairs of start and length"),
        ("0 3", "must be positive"),
        ("5 0", "must be positive"),
        ("5 4 8 2", "must not overlap"),
        ("9 1 5 1", "sorted by their start"),
        ("1 two", "not an integer"),
        ("1 1.5", "not an integer"),
    ],
)
def test_the_check_and_the_grader_refuse_the_same_masks(mask, reason, prepared, tmp_path):
    competition = prepared("demo-digit-masks")
    sample = read_csv(competition.sample_submission)
    sample.loc[3, "rle_mask"] = mask
    verdict, message = submit(competition, sample, tmp_path)
    if reason is None:
        assert (verdict.outcome, message) == (Outcome.GRADED, VALID)
    else:
        assert verdict.outcome is Outcome.INVALID
        assert reason in verdict.reason
        assert reason in message


def test_masks_mark_the_painted_pixels_row_by_row():
    task = load_module(ALL.get_competition("demo-digit-masks").folder / "task.py")
    mask = np.zeros((32, 32), dtype=bool)
    mask[0, 30:] = mask[1, :2] = mask[31, 31] = True
    assert task.encode(mask) == "31 4 1024 1"
    tile = np.full((32, 32, 3), 200, dtype=np.uint8)
    painted = task.paint(tile, mask, np.random.RandomState(1))
    assert ((painted != tile).any(axis=2) == mask).all()
    assert len(np.unique(painted[mask], axis=0)) == 1


# Sentences


def test_pieces_are_short_and_do_not_name_their_description(prepared):
    competition = prepared("demo-sentences")
    train, test = (read_csv(competition.public_dir / f"{part}.csv") for part in ("train", "test"))
    texts = pd.concat([train["text"], test["text"]])
    assert texts.is_unique
    assert texts.str.split().str.len().between(3, 10).all()
    assert not texts.str.contains("iris|wine|digits|diabet|newsgroup|lfw|rcv1|kdd|olivetti|linner", case=False).any()
    assert not texts.str.contains(r"[`|]|>>>|::|://|====", regex=True).any()
    assert set(load_answers(competition.answers)["labels"]) <= set(train["label"])


def test_later_guesses_score_less_and_none_after_the_third(prepared, tmp_path):
    competition = prepared("demo-sentences")
    answers = load_answers(competition.answers)
    for places, score in ((0, 1.0), (1, 0.5), (2, 0.33333), (3, 0.0)):
        guesses = answers.assign(labels="no " * places + answers["labels"])
        assert submit(competition, guesses, tmp_path)[0].score == score
