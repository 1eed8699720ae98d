from __future__ import annotations

from pathlib import Path

import pytest

from mlebench.cli.data_tables import print_cleanup, print_plan, print_status, print_verifications
from mlebench.data.cleaning import Cleanup, Removal
from mlebench.data.differences import Difference
from mlebench.data.estimate import PlanRow, Rules, State
from mlebench.data.plan import DataPlan
from mlebench.data.status import DataStatus, StoredData
from mlebench.data.verifying import Verification
from mlebench.grading.datasets import VerifiedData

HOME = Path("data")
ZIP = Removal("pictures", "zip", HOME / "pictures.zip", 2_000_000)
KEPT = Removal("posters", "raw", HOME / "posters" / "raw", 5_000_000, kept="since it is not prepared")


def make_verification(*differences: Difference, files: int | None = 3) -> Verification:
    return Verification("pictures", "kaggle", tables=2, on_record=5, files=files, differences=differences)


@pytest.mark.parametrize(
    ("removals", "dry_run", "lines"),
    [
        ((), False, ["0 bytes freed."]),
        ((ZIP,), False, ["data/pictures.zip: 2.0 MB, removed", "2.0 MB freed."]),
        ((ZIP,), True, ["data/pictures.zip: 2.0 MB, would be removed", "2.0 MB would be freed."]),
        ((KEPT,), False, ["data/posters/raw: 5.0 MB, kept, since it is not prepared", "0 bytes freed."]),
    ],
)
def test_removals_are_told_apart_from_what_is_kept(capsys, removals, dry_run, lines):
    print_cleanup(Cleanup(removals, dry_run))
    assert capsys.readouterr().out.splitlines() == lines


def test_an_empty_data_directory_is_one_line(capsys):
    print_status(DataStatus(HOME, (), disk_free=1_000_000_000))
    assert capsys.readouterr().out == "0 bytes in data, 1.0 GB free.\n"


def test_data_in_use_are_marked(capsys):
    stored = StoredData("pictures", "kaggle", prepared=2_000_000, busy=True), StoredData("posters", None, prepared=0)
    print_status(DataStatus(HOME, stored, disk_free=0))
    _, busy, empty, _ = capsys.readouterr().out.splitlines()
    assert busy.split() == ["pictures", "kaggle,", "in", "use", "2.0", "MB"]
    assert empty.split() == ["posters", "nothing"]


@pytest.mark.parametrize(
    ("verified", "words"),
    [
        ([], "Nothing is prepared in data."),
        ([VerifiedData(make_verification(), None)], "2 tables read, 3 files counted, 5 compared with the record"),
        ([VerifiedData(make_verification(files=None), None)], "2 tables read, 5 compared with the record"),
        ([VerifiedData(make_verification(), "The sample gets 0.5.")], "The sample gets 0.5."),
        ([VerifiedData(make_verification(Difference("a.csv", "missing", "is missing")), None)], "pictures: a.csv"),
    ],
)
def test_a_verification_is_told(capsys, verified, words):
    print_verifications(verified, HOME)
    assert words in capsys.readouterr().out


@pytest.mark.parametrize(
    "verified",
    [
        VerifiedData(make_verification(), "The sample gets 0.5."),
        VerifiedData(make_verification(Difference("a.csv", "differs", "was changed")), None),
    ],
)
def test_nothing_agrees_if_anything_differs(capsys, verified):
    print_verifications([verified], HOME)
    assert "everything agrees" not in capsys.readouterr().out


def make_plan(**changes) -> DataPlan:
    """Plan the download of one competition of 2 MB."""
    row = PlanRow(
        competition="pictures", state=State.DOWNLOAD, size_is="declared", archive=0, unpacked=0, download=2_000_000,
        peak=8_000_000, stays=-1_000_000, seconds=90, rules=Rules.MISSING, page="https://kaggle.example/rules",
    )  # fmt: skip
    return DataPlan(
        data_dir="data", jobs=2, bandwidth=20e6, bandwidth_is="assumed", rows=(row.model_copy(update=changes),),
        download=2_000_000, disk_free=9_000_000, disk_peak=8_000_000, disk_stays=0, seconds=90, obstacles=(),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("changes", "cells"),
    [
        ({}, "about 2.0 MB 8.0 MB -1.0 MB"),
        ({"size_is": "measured"}, "download 2.0 MB 8.0 MB -1.0 MB"),
        ({"size_is": "unknown"}, "download ? ? ? ? not accepted"),
        ({"size_is": "unknown", "state": State.PREPARED, "stays": 0, "seconds": 0}, "prepared 2.0 MB 8.0 MB not"),
    ],
)
def test_sizes_of_a_plan_say_how_certain_they_are(capsys, changes, cells):
    print_plan(make_plan(**changes))
    assert cells in " ".join(capsys.readouterr().out.splitlines()[1].split())


def test_obstacles_come_with_the_pages_of_rules(capsys):
    print_plan(make_plan().model_copy(update={"obstacles": ("The disk is too small.",)}))
    lines = capsys.readouterr().out.splitlines()
    assert lines[-3:] == ["Cannot start:", "- The disk is too small.", "  https://kaggle.example/rules"]


def test_a_plan_without_obstacles_is_ready(capsys):
    print_plan(make_plan(rules=Rules.ACCEPTED))
    assert capsys.readouterr().out.splitlines()[-1] == "Ready to start."
