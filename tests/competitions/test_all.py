"""What must hold for every competition there is; a new one gets all of this at once."""

from __future__ import annotations

import json
import math
import random
import re
import shutil
from typing import TYPE_CHECKING, Any

import pandas as pd
import pytest

from mlebench.competition import Declaration, Version
from mlebench.data import Source, get_checksum, is_dataset_prepared, prepare, read_manifest
from mlebench.grade import VALID, check_submission, judge, load_answers
from mlebench.medals import medal_positions
from mlebench.registry import COMPETITIONS_DIR, Registry, folder_name
from mlebench.reports import Outcome
from mlebench.submission import Match, Values
from mlebench.tables import read_csv, write_csv

if TYPE_CHECKING:
    from pathlib import Path

    from mlebench.competition import Competition

FORGIVEN: dict[str, set[str]] = {
    "billion-word-imputation": {"with_text_for_a_value"},
    "jigsaw-toxic-comment-classification-challenge": {"with_an_id_repeated", "with_text_for_a_value"},
    "osic-pulmonary-fibrosis-progression": {"without_a_row", "with_an_id_repeated"},
    "plant-seedlings-classification": {"with_text_for_a_value"},
    "tensorflow-speech-recognition-challenge": {"with_text_for_a_value"},
}
"""Faults that version v1 of a competition grades all the same, beyond those that its declared form tells of."""

NUMBERED_ANEW = {"nomad2018-predict-transparent-conductors", "ventilator-pressure-prediction"}
"""Competitions whose ids count the rows of each file, so that the same id means another row in another file."""

ORDER_COUNTS = {"hms-harmful-brain-activity-classification", "iwildcam-2019-fgvc6", "stanford-covid-vaccine"}
"""Competitions whose version v1 looks at the place of a row in the file, although it compares ids."""

ALL = Registry()
IDS = ALL.list_competition_ids()
LABELS = [label for id in IDS for label in [id, *(f"{id}@{v}" for v in ALL.get_declaration(id).versions)]]
each_id = pytest.mark.parametrize("competition_id", IDS)
each_version = pytest.mark.parametrize("label", LABELS)


class Material:
    """A prepared competition with the submissions that can be made of its answers and its sample."""

    def __init__(self, competition: Competition) -> None:
        self.competition = competition
        self.shape = competition.declaration.submission
        self.sample = read_csv(competition.sample_submission)
        self.answers = load_answers(competition.answers)
        self.targets = self.shape.target_names(self.sample) or list(self.sample.columns.difference(self.shape.ids))

    @property
    def gold(self) -> pd.DataFrame:
        """The answers in the form of a submission."""
        if self.competition.gold_submission != self.competition.answers:
            return read_csv(self.competition.gold_submission)
        columns = [*self.shape.ids, *self.targets]
        if not isinstance(self.answers, pd.DataFrame) or not set(columns) <= set(self.answers.columns):
            pytest.skip("the answers do not have the form of a submission")
        gold = self.answers[columns]
        if len(gold) < len(self.sample):  # the others do not count, but belong to a submission
            ids = pd.MultiIndex.from_frame(self.sample[self.shape.ids])
            others = self.sample[~ids.isin(pd.MultiIndex.from_frame(gold[self.shape.ids]))]
            gold = pd.concat([gold, others[columns]], ignore_index=True)
        return gold

    @property
    def mixed(self) -> pd.DataFrame:
        """Every other row right, the others as in the sample."""
        gold = self.gold.set_index(self.shape.ids)
        sample = self.sample.set_index(self.shape.ids)
        sample = sample.loc[gold.index] if sample.index.is_unique else sample
        rows = range(len(gold))
        return pd.concat([(gold if row % 2 else sample).iloc[[row]] for row in rows]).reset_index()


@pytest.fixture
def material(label, prepared) -> Material:
    return Material(prepared(label))


@pytest.fixture
def submit(tmp_path):
    """A function that writes a frame as a submission and returns its path."""

    def write(frame: pd.DataFrame) -> Path:
        write_csv(frame, tmp_path / "submission.csv")
        return tmp_path / "submission.csv"

    return write


@each_id
def test_folder_is_complete_and_named_after_the_id(competition_id):
    competition = ALL.get_competition(competition_id)
    folder = competition.folder
    assert folder.name == folder_name(competition_id) or folder.parent != COMPETITIONS_DIR
    names = {path.name for path in folder.iterdir()}
    needed = {"competition.yaml", "task.py", "brief.md", "brief_obfuscated.md", "leaderboard.csv"}
    assert needed <= names
    assert ("rehearsal.zip" in names) != competition.is_embedded


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


@each_id
def test_leaderboard_is_sorted_best_first_and_thresholds_follow_the_rules(competition_id):
    standings = ALL.get_competition(competition_id).standings
    scores = list(standings.scores)
    assert scores == sorted(scores, reverse=not standings.lower_is_better)
    gold, silver, bronze = medal_positions(len(scores))
    thresholds = standings.thresholds
    assert (thresholds.gold, thresholds.silver, thresholds.bronze) == (
        scores[gold - 1],
        scores[silver - 1],
        scores[bronze - 1],
    )
    low, high = standings.thresholds.bronze, standings.thresholds.median
    assert low == high or standings.is_better(low, high)


@each_id
@pytest.mark.parametrize("obfuscated", [False, True], ids=["brief", "obfuscated brief"])
def test_brief_names_only_files_and_columns_that_exist(competition_id, obfuscated, prepared):
    competition = prepared(competition_id)
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
    """The value of a JSON file, of one with a value a line the first."""
    text = path.read_text(encoding="utf-8")
    return json.JSONDecoder().raw_decode(text.lstrip())[0]


def parquet_columns(path: Path) -> list[str]:
    """The columns of a parquet table, none without the package that reads it."""
    try:
        import pyarrow.parquet
    except ImportError:
        return []
    return pyarrow.parquet.read_schema(path).names


def keys_of(value: Any) -> set[str]:
    """The names in a JSON value, of a list those of its first item."""
    if isinstance(value, dict):
        return {*value, *(key for inner in value.values() for key in keys_of(inner))}
    return keys_of(value[0]) if isinstance(value, list) and value else set()


@each_id
def test_obfuscated_brief_does_not_give_the_task_away(competition_id):
    competition = ALL.get_competition(competition_id)
    text = competition.brief(obfuscated=True).replace(competition.sample_submission.name, "").casefold()
    words = competition.declaration.telltale_words
    assert not [word for word in [*words, "kaggle", competition.name] if word.casefold() in text]
    assert words


@each_id
@pytest.mark.parametrize("obfuscated", [False, True], ids=["brief", "obfuscated brief"])
def test_brief_has_what_an_agent_needs(competition_id, obfuscated):
    text = ALL.get_competition(competition_id).brief(obfuscated=obfuscated)
    assert text.startswith("# ")
    assert 35 <= len(text.splitlines()) <= 120
    assert max(map(len, text.splitlines())) <= 130
    headings = " ".join(re.findall(r"^## (.*)$", text, flags=re.MULTILINE)).casefold()
    for word in ("files", "evaluation", "submission"):
        assert word in headings


@each_version
def test_preparing_twice_gives_identical_files(label, prepared, tmp_path):
    first, second = prepared(label), Registry(tmp_path).get_competition(label)
    prepare(second, rehearsal=not second.is_embedded)
    assert checksums(first) == checksums(second)
    wanted = Source.EMBEDDED if first.is_embedded else Source.REHEARSAL
    assert read_manifest(first).source is wanted
    assert (first.public_dir / "description.md").read_text(encoding="utf-8") == first.description


def checksums(competition: Competition) -> dict[str, str]:
    folders = (competition.public_dir, competition.private_dir)
    return {
        f"{folder.name}/{path.relative_to(folder)}": get_checksum(path)
        for folder in folders
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


@each_version
def test_public_files_hold_no_answers(label, material):
    competition, shape = material.competition, material.shape
    secret = {get_checksum(path) for path in competition.private_dir.rglob("*") if path.is_file()}
    sample = get_checksum(competition.sample_submission)
    keys, rows = shape.ids, material.sample
    if competition.id in NUMBERED_ANEW:
        rows = read_csv(competition.public_dir / "test.csv")
        keys = [name for name in rows.columns if name not in shape.ids]
    tested = pd.MultiIndex.from_frame(rows[keys].astype(str))
    for path in competition.public_dir.rglob("*"):
        if not path.is_file():
            continue
        assert get_checksum(path) not in secret, path
        if path.suffix == ".csv" and get_checksum(path) != sample:  # of which there may be copies
            frame = read_csv(path)
            if set(keys) <= set(frame.columns):
                rows = pd.MultiIndex.from_frame(frame[keys].astype(str))
                assert not (rows.isin(tested).any() and set(material.targets) & set(frame.columns)), path


@each_version
def test_sample_submission_is_valid_and_graded(label, material):
    competition = material.competition
    verdict = judge(competition.sample_submission, competition)
    assert verdict.outcome is Outcome.GRADED, verdict.reason
    low, high = competition.grader.metric.range
    assert low <= verdict.score <= high or math.isnan(verdict.score)
    assert check_submission(competition.sample_submission, competition) == VALID
    assert verdict.data in (Source.REHEARSAL, Source.EMBEDDED)


@each_version
def test_right_answers_are_best(label, material, submit):
    competition = material.competition
    path = submit(material.gold)
    verdict = judge(path, competition)
    assert verdict.outcome is Outcome.GRADED, verdict.reason
    sample = judge(competition.sample_submission, competition)
    best = competition.grader.metric.best
    assert verdict.score == pytest.approx(best, abs=1e-9) or competition.standings.is_better(
        verdict.score, sample.score
    )
    assert check_submission(path, competition) == VALID


@each_version
def test_order_of_rows_and_columns_does_not_matter(label, material, submit):
    competition, frame = material.competition, material.mixed
    plain = judge(submit(frame), competition)
    assert plain.outcome is Outcome.GRADED, plain.reason
    shuffled = [frame.iloc[::-1], frame.sample(frac=1, random_state=0)]
    if material.shape.match in (Match.POSITION, Match.ORDER) or competition.id in ORDER_COUNTS:
        shuffled.clear()
    ids = material.shape.ids if material.shape.ids_first else []
    turned = [*ids, *frame.columns[::-1].difference(ids, sort=False)]
    if competition.declaration.grade_gets == "aligned" and not material.shape.columns_in_order:
        shuffled.append(frame[turned])
    for changed in shuffled:
        assert judge(submit(changed), competition).score == plain.score


def without_a_row(frame: pd.DataFrame, _: Material) -> pd.DataFrame:
    return frame.iloc[:-1]


def with_a_row_added(frame: pd.DataFrame, _: Material) -> pd.DataFrame:
    return pd.concat([frame, frame.iloc[:1]])


def with_an_id_repeated(frame: pd.DataFrame, material: Material) -> pd.DataFrame:
    if len(frame) == 1:  # nothing else to stand in for
        return pd.concat([frame, frame])
    return replaced(frame, material.shape.ids[-1], frame[material.shape.ids].iloc[1, -1])


def with_an_unknown_id(frame: pd.DataFrame, material: Material) -> pd.DataFrame:
    id = material.shape.ids[0]
    numeric = pd.api.types.is_numeric_dtype(frame[id])
    return replaced(frame, id, frame[id].max() + 1_000_003 if numeric else "nobody's-id")


def without_the_id_column(frame: pd.DataFrame, material: Material) -> pd.DataFrame:
    return frame.drop(columns=material.shape.ids[0])


def without_a_target_column(frame: pd.DataFrame, material: Material) -> pd.DataFrame:
    return frame.drop(columns=material.targets[-1])


def without_columns(frame: pd.DataFrame, _: Material) -> pd.DataFrame:
    return pd.DataFrame(index=frame.index)


def with_text_for_a_value(frame: pd.DataFrame, material: Material) -> pd.DataFrame:
    return replaced(frame, material.targets[0], "some words")


def replaced(frame: pd.DataFrame, column: str, value: Any) -> pd.DataFrame:
    values = frame[column].astype(object)
    values.iloc[0] = value
    return frame.assign(**{column: values})


FAULTS = [
    without_a_row,
    with_a_row_added,
    with_an_id_repeated,
    with_an_unknown_id,
    without_the_id_column,
    without_a_target_column,
    without_columns,
    with_text_for_a_value,
]


FAULTS_OF_IDS = {with_an_id_repeated, with_an_unknown_id}


def faults(label: str) -> list[Any]:
    """Return the faults that a competition must refuse, by its declared form; v1's quirks forgive some more."""
    declared = ALL.get_competition(label).declaration
    shape = declared.submission
    forgiven = {fault for fault in FAULTS if fault.__name__ in FORGIVEN.get(declared.id, ())}
    if shape.match in (Match.RANK, Match.POSITION):
        forgiven |= FAULTS_OF_IDS
    if shape.match is Match.REPEATS:
        forgiven |= {with_a_row_added}
    if shape.match is Match.ORDER and declared.grade_gets == "as_read":
        forgiven |= {without_a_row, with_a_row_added, *FAULTS_OF_IDS}
    if shape.match is Match.POSITION:
        forgiven |= {without_the_id_column}
    if declared.check is None and shape.values in (Values.TEXT, Values.ANYTHING):
        forgiven |= {with_text_for_a_value}
    return [fault for fault in FAULTS if fault not in forgiven]


EACH_FAULT = [pytest.param(label, fault, id=f"{label}-{fault.__name__}") for label in LABELS for fault in faults(label)]


@pytest.mark.parametrize(("label", "fault"), EACH_FAULT)
def test_faulty_submission_is_refused_with_one_sentence(label, fault, material, submit, is_one_sentence, tmp_path):
    competition = material.competition
    path = submit(fault(material.sample, material))
    verdict = judge(path, competition)
    assert verdict.outcome is Outcome.INVALID
    assert is_one_sentence(verdict.reason), verdict.reason
    message = check_submission(path, competition)
    head, _, reason = message.partition("! ")
    assert head == "Submission invalid"
    assert is_one_sentence(reason)


@each_version
def test_check_for_agents_does_not_open_the_answers(label, material, submit, tmp_path):
    competition = material.competition
    blind = Registry(tmp_path / "data").get_competition(label)
    shutil.copytree(competition.public_dir, blind.public_dir)
    if not blind.sample_submission.exists():  # in public/ it is in an archive
        blind.private_dir.mkdir()
        shutil.copyfile(competition.sample_submission, blind.sample_submission)
    assert not is_dataset_prepared(blind, grading_only=True)
    frames = [material.sample]
    frames += [fault(material.sample, material) for fault in FAULTS]
    for frame in frames:
        path = submit(frame)
        assert check_submission(path, blind) == check_submission(path, competition)


NASTY = ["", " ", "NA", "nan", "inf", "-inf", "1e400", "9" * 400, "-1", "0.5", "1.5", "7", "0x10", "True", "1+2j"]
NASTY += ["text", "2020-01-01", "'", '"', "{}", "\x1b[2J", "\u2028", "1 1 1 1", "-1 -1", "1 2 3", "1e3 5", "\0"]
NASTY += ["9" * 5000]


@each_version
def test_no_nasty_value_anywhere_makes_grading_fail(label, material, tmp_path, is_one_sentence):
    draw = random.Random(label)
    competition, path = material.competition, tmp_path / "submission.csv"
    header, *rows = [line.split(",") for line in competition.sample_submission.read_text().splitlines()]
    for _ in range(60):
        table = [header, *[list(row) for row in rows]]
        place, value = draw.randrange(len(header)), draw.choice(NASTY)
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
