"""What must hold for every competition: the battery, and more; it applies to a new one at once."""

from __future__ import annotations

import json
import math
import random
import re
import shutil
from typing import TYPE_CHECKING, Any

import pandas as pd
import pytest

from mlebench.battery import checks
from mlebench.battery.corruptions import CORRUPTIONS, corruptions_to_refuse
from mlebench.battery.prepared import PreparedTask
from mlebench.data import Source, is_dataset_prepared, prepare, read_manifest
from mlebench.grading.check import VALID, check_submission
from mlebench.grading.judge import judge
from mlebench.grading.reports import Outcome
from mlebench.ground.extras import PACKAGES
from mlebench.ground.tables import read_csv, write_csv
from mlebench.tasks.declaration import Declaration
from mlebench.tasks.medals import medal_positions
from mlebench.tasks.ref import Version
from mlebench.tasks.registry import COMPETITIONS_DIR, Registry, folder_name

if TYPE_CHECKING:
    from pathlib import Path

ACCEPTED: dict[str, set[str]] = {
    "billion-word-imputation": {"with_text_for_a_value"},
    "jigsaw-toxic-comment-classification-challenge": {"with_an_id_repeated", "with_text_for_a_value"},
    "osic-pulmonary-fibrosis-progression": {"without_a_row", "with_an_id_repeated"},
    "plant-seedlings-classification": {"with_text_for_a_value"},
    "tensorflow-speech-recognition-challenge": {"with_text_for_a_value"},
}
"""Corruptions that version v1 of a competition grades, beyond those that its declared form accepts."""

IDS_PER_FILE = {"nomad2018-predict-transparent-conductors", "ventilator-pressure-prediction"}
"""Competitions whose ids number the rows of each file, so that the same id means another row in another file."""

ORDER_COUNTS = {
    "hms-harmful-brain-activity-classification",
    "iwildcam-2019-fgvc6",
    "iwildcam-2020-fgvc7",
    "stanford-covid-vaccine",
}
"""Competitions whose version v1 depends on the order of rows, although it compares ids."""

ALL = Registry()
IDS = ALL.list_competition_ids()
BUILT_IN = [id for id in IDS if ALL.get_competition(id).folder.parent == COMPETITIONS_DIR]
LABELS = [label for id in IDS for label in [id, *(f"{id}@{v}" for v in ALL.get_declaration(id).versions)]]
each_id = pytest.mark.parametrize("competition_id", IDS)
each_version = pytest.mark.parametrize("label", LABELS)


@pytest.fixture
def task(label, prepared, tmp_path) -> PreparedTask:
    return PreparedTask(prepared(label), tmp_path / "submission.csv")


@pytest.fixture
def with_answers(task) -> PreparedTask:
    if task.gold is None:
        pytest.skip("the answers do not have the form of a submission")
    return task


@each_id
def test_the_folder_is_complete_and_named_after_the_id(competition_id):
    competition = ALL.get_competition(competition_id)
    folder = competition.folder
    assert folder.name == folder_name(competition_id) or folder.parent != COMPETITIONS_DIR
    assert not [*checks.check_files(folder), *checks.check_rehearsal(competition)]


@each_id
def test_declaration_is_valid(competition_id):
    declaration = Declaration.read(ALL.get_competition(competition_id).folder / "competition.yaml")
    assert declaration.id == competition_id
    metric = declaration.resolved_metric
    assert metric.range[0] < metric.range[1]
    for version in [Version.V1, *declaration.versions]:
        competition = ALL.get_competition(f"{competition_id}@{version}")
        assert callable(competition.prepare_fn.load())
        assert competition.check is None or callable(competition.check.load())


@pytest.mark.parametrize("competition_id", BUILT_IN)
def test_each_version_says_how_well_its_leaderboard_fits_and_why(competition_id):
    declared = ALL.get_declaration(competition_id)
    for version in [Version.V1, *declared.versions]:
        comparison = declared.at(version).leaderboard
        assert comparison is not None
        reasons = [p for p in declared.known_problems if p.kind == "leaderboard" and version in p.versions]
        assert reasons or comparison.fit == "same", version


@each_id
def test_a_problem_of_v1_alone_says_what_v2_does_about_it(competition_id):
    declared = ALL.get_declaration(competition_id)
    if Version.V2 in declared.versions:
        repaired = [p for p in declared.known_problems if p.versions == (Version.V1,)]
        assert not [p.text for p in repaired if not (p.remedy or "").startswith(("v2 ", "Every version "))]


@each_id
def test_leaderboard_is_sorted_best_first_and_thresholds_follow_the_rules(competition_id):
    competition = ALL.get_competition(competition_id)
    assert not list(checks.check_leaderboard(competition))
    standings = competition.standings
    scores = standings.scores
    gold, silver, bronze = medal_positions(len(scores))
    thresholds = standings.thresholds
    assert (thresholds.gold, thresholds.silver, thresholds.bronze) == (
        scores[gold - 1],
        scores[silver - 1],
        scores[bronze - 1],
    )
    low, high = standings.thresholds.bronze, standings.thresholds.median
    assert low == high or standings.is_better(low, high)


@each_version
@pytest.mark.parametrize("obfuscated", [False, True], ids=["brief", "obfuscated brief"])
def test_brief_names_only_files_and_columns_that_exist(label, obfuscated, prepared):
    competition = prepared(label)
    text = re.sub(r"^```.*?^```", "", competition.brief(obfuscated=obfuscated), flags=re.DOTALL | re.MULTILINE)
    names = re.findall(r"`([^`\n]+)`", text)
    tables = [*competition.public_dir.rglob("*.csv"), *competition.public_dir.glob("*.csv.zip")]
    tables.append(competition.sample_submission)
    columns = {str(column) for path in tables for column in pd.read_csv(path, nrows=0).columns}
    json_files = [path for path in competition.public_dir.rglob("*.json*") if path.suffix in {".json", ".jsonl"}]
    columns |= {key for path in json_files for key in keys_of(read_json(path))}
    columns |= {name for path in competition.public_dir.rglob("*.parquet") for name in parquet_columns(path)}
    unknown = [
        name
        for name in names
        if name not in {*columns, "submission.csv"}
        and not any(competition.public_dir.glob(re.sub(r"<[^>]+>", "*", name)))
    ]
    assert not unknown
    unpacked = {re.sub(r"\.(7z|zip)$", "", name) for name in names}
    zipped = {path.stem for path in competition.public_dir.glob("*.zip")}
    assert {"train.csv", "test.csv", competition.sample_submission.name, *zipped} & unpacked


def read_json(path: Path) -> Any:
    """Return the value of a JSON file, or the first one of a file with a value per line."""
    text = path.read_text(encoding="utf-8")
    return json.JSONDecoder().raw_decode(text.lstrip())[0]


def parquet_columns(path: Path) -> list[str]:
    """Return the columns of a parquet table; none without the package that reads it."""
    try:
        import pyarrow.parquet
    except ImportError:
        return []
    return pyarrow.parquet.read_schema(path).names


def keys_of(value: Any) -> set[str]:
    """Return the keys in a JSON value; of a list, those of its first item."""
    if isinstance(value, dict):
        return {*value, *(key for inner in value.values() for key in keys_of(inner))}
    return keys_of(value[0]) if isinstance(value, list) and value else set()


@each_version
def test_obfuscated_brief_does_not_give_the_task_away(label):
    competition = ALL.get_competition(label)
    assert not list(checks.check_briefs(competition))
    text = competition.brief(obfuscated=True).replace(competition.sample_submission.name, "")
    assert "kaggle" not in text.casefold()
    assert competition.declaration.telltale_words


@each_version
@pytest.mark.parametrize("obfuscated", [False, True], ids=["brief", "obfuscated brief"])
def test_briefs_have_their_sections_and_a_readable_size(label, obfuscated):
    competition = ALL.get_competition(label)
    assert not list(checks.check_briefs(competition))
    lines = competition.brief(obfuscated=obfuscated).splitlines()
    assert 35 <= len(lines) <= 120
    assert max(map(len, lines)) <= 130


@each_version
def test_preparing_twice_gives_identical_files_and_needs_no_more_than_is_declared(
    label, prepared, tmp_path, monkeypatch
):
    first, second = prepared(label), Registry(tmp_path).get_competition(label)
    installed = {package for extra in first.declaration.extras for package in PACKAGES[extra]}
    monkeypatch.setattr("mlebench.ground.extras.find_spec", lambda name: name if name in installed else None)
    prepare(second, rehearsal=not second.is_embedded)
    assert not list(checks.check_repeatability(first, second))
    wanted = Source.EMBEDDED if first.is_embedded else Source.REHEARSAL
    assert read_manifest(first).source is wanted
    assert (first.public_dir / "description.md").read_text(encoding="utf-8") == first.description


@each_version
def test_public_files_hold_no_answers(label, task):
    tested = None
    if task.competition.id in IDS_PER_FILE:
        tested = read_csv(task.competition.public_dir / "test.csv").drop(columns=task.shape.ids)
    assert not list(checks.check_public_files(task, tested))


@each_version
def test_sample_submission_is_valid_and_graded(label, task):
    competition = task.competition
    assert not list(checks.check_sample(task))
    verdict = judge(competition.sample_submission, competition)
    low, high = competition.grader.metric.range
    assert low <= verdict.score <= high or math.isnan(verdict.score)
    assert verdict.data in (Source.REHEARSAL, Source.EMBEDDED)


@each_version
def test_the_right_answers_score_best(label, with_answers):
    assert not list(checks.check_answers(with_answers))


@each_version
def test_order_of_rows_and_columns_does_not_matter(label, with_answers):
    rows_too = label not in ORDER_COUNTS
    assert not list(checks.check_order(with_answers, rows=rows_too))


def corruptions(label: str) -> list[Any]:
    """Return the corruptions that a competition must refuse; v1's quirks accept more than its declared form."""
    declared = ALL.get_competition(label).declaration
    accepted = ACCEPTED.get(label, ())
    return [corrupt for corrupt in corruptions_to_refuse(declared) if corrupt.__name__ not in accepted]


EACH_CORRUPTION = [
    pytest.param(label, corrupt, id=f"{label}-{corrupt.__name__}") for label in LABELS for corrupt in corruptions(label)
]


@pytest.mark.parametrize(("label", "corrupt"), EACH_CORRUPTION)
def test_an_invalid_submission_is_refused_with_one_sentence(label, corrupt, task, is_one_sentence):
    verdict, message = task.submit(corrupt(task))
    assert verdict.outcome is Outcome.INVALID
    assert is_one_sentence(verdict.reason), verdict.reason
    head, _, reason = message.partition("! ")
    assert head == "Submission invalid"
    assert is_one_sentence(reason)


@each_version
def test_check_for_agents_does_not_open_the_answers(label, task, tmp_path):
    competition = task.competition
    blind = Registry(tmp_path / "data").get_competition(label)
    shutil.copytree(competition.public_dir, blind.public_dir)
    if not blind.sample_submission.exists():  # public/ holds it in an archive
        blind.private_dir.mkdir()
        shutil.copyfile(competition.sample_submission, blind.sample_submission)
    assert not is_dataset_prepared(blind, grading_only=True)
    for frame in (task.sample, *(corrupt(task) for corrupt in CORRUPTIONS)):
        write_csv(frame, task.path)
        assert check_submission(task.path, blind) == check_submission(task.path, competition)


ODD_VALUES = ["", " ", "NA", "nan", "inf", "-inf", "1e400", "9" * 400, "-1", "0.5", "1.5", "7", "0x10", "True", "1+2j"]
ODD_VALUES += ["text", "2020-01-01", "'", '"', "{}", "\x1b[2J", "\u2028", "1 1 1 1", "-1 -1", "1 2 3", "1e3 5", "\0"]
ODD_VALUES += ["9" * 5000]


@each_version
def test_no_odd_value_makes_grading_fail(label, task, tmp_path, is_one_sentence):
    draw = random.Random(label)
    competition, path = task.competition, tmp_path / "submission.csv"
    header, *rows = [line.split(",") for line in competition.sample_submission.read_text().splitlines()]
    for _ in range(60):
        table = [header, *[list(row) for row in rows]]
        place, value = draw.randrange(len(header)), draw.choice(ODD_VALUES)
        first = draw.choice([0, 1, 1, 1])
        last = draw.choice([first + 1, first + 2, len(table)])
        for number in range(first, min(last, len(table))):
            table[number] = [*table[number][:place], value, *table[number][place + 1 :]]
        path.write_text("\n".join(map(",".join, table)) + "\n", encoding="utf-8")
        verdict = judge(path, competition)
        assert verdict.outcome in (Outcome.GRADED, Outcome.INVALID), (place, value, verdict.reason)
        assert verdict.reason is None or is_one_sentence(verdict.reason), verdict.reason
        accepted = check_submission(path, competition) == VALID
        if accepted or competition.declaration.grade_gets == "aligned":
            assert accepted == (verdict.outcome is Outcome.GRADED), (place, value, verdict.reason)
