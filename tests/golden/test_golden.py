"""Conformance with version v1: the same prepared files and the same verdict on every submission.

Each folder beside this file holds synthetic raw data with the real schema, submissions, and what the
reference makes of both.
"""

from __future__ import annotations

import functools
import hashlib
import json
import math
import tarfile
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from mlebench.data import get_checksum, prepare
from mlebench.grading.judge import judge
from mlebench.grading.reports import Outcome
from mlebench.tasks.registry import Registry

from ..conftest import shared_folder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from mlebench.tasks.competition import Competition

FOLDERS = {path.parent.name: path.parent for path in sorted(Path(__file__).parent.glob("*/golden.json"))}

NO_PHOTOS = "the reference's archive holds an empty folder instead of the photos, which leaves nothing to learn from"
DEVIATIONS = {"invasive-species-monitoring": {"public/train.7z": NO_PHOTOS, "public/test.7z": NO_PHOTOS}}
"""Files that are there but deliberately not what the reference makes, with the reason."""

TABLES = {
    "icecube-neutrinos-in-deep-ice": {
        "public/train_meta.parquet": "f1d876538a16973744d30b26f19f6c2c",
        "public/test_meta.parquet": "f4bc6f851db833d357b6ca549c6a39de",
    }
}
"""Parquet files, whose bytes depend on the versions of libraries, by the md5 of their tables as CSV.

These are the tables that fastparquet 2026.9.0 with pandas 2.3.3 writes as the bytes of the golden record.
"""

INEXACT = {
    "3d-object-detection-for-autonomous-vehicles": "the reference adds in the order of a set",
    "google-quest-challenge": "dot products depend on the processor",
    "us-patent-phrase-to-phrase-matching": "dot products depend on the processor",
    "uw-madison-gi-tract-image-segmentation": "distances come from a tree instead of all pairs",
} | dict.fromkeys(
    (
        "champs-scalar-coupling",
        "dog-breed-identification",
        "dogs-vs-cats-redux-kernels-edition",
        "hms-harmful-brain-activity-classification",
        "icecube-neutrinos-in-deep-ice",
        "jigsaw-unintended-bias-in-toxicity-classification",
        "leaf-classification",
        "lmsys-chatbot-arena",
        "nomad2018-predict-transparent-conductors",
        "osic-pulmonary-fibrosis-progression",
        "rsna-2022-cervical-spine-fracture-detection",
        "smartphone-decimeter-2022",
        "spooky-author-identification",
        "statoil-iceberg-classifier-challenge",
    ),
    "logarithms, powers and angles depend on the processor",
)
"""Tasks whose unrounded scores can differ from the reference's in their last bits, with the reason."""


@functools.cache
def expected(competition_id: str) -> dict[str, Any]:
    return json.loads((FOLDERS[competition_id] / "golden.json").read_text(encoding="utf-8"))


SUBMISSIONS = [(id, name) for id in FOLDERS for name in expected(id)["submissions"]]


@pytest.fixture(scope="session")
def from_golden_raw_data(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Competition]:
    registry = Registry(shared_folder(tmp_path_factory, "golden"))

    @functools.cache
    def get(competition_id: str) -> Competition:
        competition = registry.get_competition(competition_id)
        prepare(competition, raw=FOLDERS[competition_id] / "raw.zip")
        return competition

    return get


@pytest.mark.parametrize("competition_id", FOLDERS)
def test_prepared_files_are_those_of_the_reference(competition_id, from_golden_raw_data):
    competition = from_golden_raw_data(competition_id)
    golden = expected(competition_id)
    tables = {
        key: {"storage": ["parquet"], "members": {"table": digest}}
        for key, digest in TABLES.get(competition_id, {}).items()
    }
    recorded = golden_members(competition_id) | tables
    varying = {*golden["varying_files"], *tables}
    wanted, found = {}, {}
    for part, folder in (("public", competition.public_dir), ("private", competition.private_dir)):
        for name, digest in golden["prepared"][part].items():
            key = f"{part}/{name}"
            wanted[key] = recorded.get(key, digest) if key in varying else digest
        for path in folder.rglob("*"):
            key = f"{part}/{path.relative_to(folder)}"
            if path.is_file() and key != "public/description.md":
                by_members = key in varying and key in recorded
                found[key] = members_of(path) if by_members else get_checksum(path)
    for key in DEVIATIONS.get(competition_id, {}):
        assert found.pop(key) != wanted.pop(key)
    assert found == wanted


@pytest.mark.parametrize(("competition_id", "name"), SUBMISSIONS)
def test_verdict_is_that_of_the_reference(competition_id, name, from_golden_raw_data, is_one_sentence):
    competition = from_golden_raw_data(competition_id)
    wanted = expected(competition_id)["submissions"][name]
    verdict = judge(FOLDERS[competition_id] / "submissions" / f"{name}.csv", competition)
    if wanted["outcome"] == "graded":
        assert verdict.outcome is Outcome.GRADED, verdict.reason
        assert verdict.reason is None
        assert same_number(verdict.score, wanted["score"], tolerance=0)
        tolerance = 1e-14 if competition_id in INEXACT else 0
        assert same_number(verdict.unrounded_score, wanted["unrounded"], tolerance)
        assert verdict.medal == wanted.get("medal")
        assert verdict.above_median == wanted.get("above_median", False)
    else:
        assert verdict.outcome is Outcome.INVALID, verdict.reason
        assert verdict.score is None
        assert verdict.medal is None
        assert not verdict.above_median
        assert is_one_sentence(verdict.reason), verdict.reason


@pytest.mark.parametrize("competition_id", FOLDERS)
def test_leaderboard_is_that_of_the_reference(competition_id):
    competition, golden = Registry().get_competition(competition_id), expected(competition_id)
    thresholds = competition.standings.thresholds
    assert len(competition.standings.scores) == golden["teams"]
    assert competition.lower_is_better == golden["lower_is_better"]
    for name, value in golden["thresholds"].items():
        assert getattr(thresholds, name) == pytest.approx(value, rel=1e-12, abs=0)
    assert competition.declaration.answers == golden["answers"]
    assert competition.declaration.sample_submission == golden["sample_submission"]


def same_number(found: float | None, wanted: float | str, tolerance: float) -> bool:
    wanted = float(wanted)  # "nan" and "inf" stand as text
    if found is None or math.isnan(wanted):
        return found is not None and math.isnan(found)
    return math.isclose(found, wanted, rel_tol=tolerance, abs_tol=tolerance / 1000)


def golden_members(competition_id: str) -> dict[str, Any]:
    """What is inside the archives whose bytes vary: how members are stored, and their md5."""
    path = FOLDERS[competition_id] / "members.json"
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def members_of(path: Path) -> dict[str, Any]:
    """Describe an archive as `members.json` does; a parquet file by the md5 of its table as CSV."""
    if path.suffix == ".parquet":
        import pandas as pd

        return {"storage": ["parquet"], "members": {"table": md5(pd.read_parquet(path).to_csv().encode())}}
    if zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as archive:
            files = [member for member in archive.infolist() if not member.is_dir()]
            kinds = {0: "stored", 8: "deflated"}
            return {
                "storage": sorted({kinds.get(member.compress_type, "other") for member in files}),
                "members": {member.filename: md5(archive.read(member)) for member in files},
            }
    if tarfile.is_tarfile(path):
        compressed = path.read_bytes()[:2] == b"\x1f\x8b"
        with tarfile.open(path) as archive:
            members = {member.name: md5(archive.extractfile(member).read()) for member in archive if member.isfile()}
        return {"storage": ["compressed tar" if compressed else "uncompressed tar"], "members": members}
    return {"storage": ["7z"], "members": dict(members_of_7z(path))}


def members_of_7z(path: Path) -> Iterator[tuple[str, str]]:
    py7zr = pytest.importorskip("py7zr", reason="7z archives need the package py7zr")
    factory = py7zr.io.BytesIOFactory(limit=2**30)
    with py7zr.SevenZipFile(path) as archive:
        archive.extractall(factory=factory)
    for name, content in factory.products.items():
        content.seek(0)
        yield name, md5(content.read())


def md5(content: bytes) -> str:
    return hashlib.md5(content, usedforsecurity=False).hexdigest()
