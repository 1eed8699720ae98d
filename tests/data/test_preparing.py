"""Preparing data from every source; data are complete or absent."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from mlebench.data import (
    MANIFEST,
    Source,
    data_source,
    download_and_prepare_dataset,
    generate_checksums,
    get_checksum,
    is_dataset_prepared,
    prepare,
    read_manifest,
)
from mlebench.errors import ArchiveError, ChecksumError, PreparationError, RawDataError, UsageError
from mlebench.tasks.registry import COMPETITIONS_DIR, Registry

GOLDEN = Path(__file__).parents[1] / "golden"
SHIP_ZIP = GOLDEN / "spaceship-titanic" / "raw.zip"
LEAF_ZIP = GOLDEN / "leaf-classification" / "raw.zip"


@pytest.fixture
def ship(registry):
    """A competition of which nothing is prepared yet."""
    return registry.get_competition("spaceship-titanic")


@pytest.fixture
def unpacked(tmp_path):
    with zipfile.ZipFile(SHIP_ZIP) as file:
        file.extractall(tmp_path / "unpacked")
    return tmp_path / "unpacked"


def digests(folder: Path) -> dict[str, str]:
    return {str(p.relative_to(folder)): get_checksum(p) for p in sorted(folder.rglob("*")) if p.is_file()}


def results(competition) -> dict[str, str]:
    return {name: md5 for name, md5 in digests(competition.prepared_dir).items() if name != MANIFEST}


def nothing_is_left(competition) -> bool:
    home = competition.prepared_dir.parent
    return not is_dataset_prepared(competition) and [path.name for path in home.iterdir()] == [".lock"]


def test_zip_and_folder_give_the_same_files_and_stay_as_they_are(ship, unpacked):
    before, zip_before = digests(unpacked), get_checksum(SHIP_ZIP)
    prepare(ship, raw=SHIP_ZIP)
    from_zip = results(ship)
    manifest = prepare(ship, raw=unpacked, keep_raw=False)
    assert results(ship) == from_zip
    assert digests(unpacked) == before
    assert get_checksum(SHIP_ZIP) == zip_before
    assert manifest == read_manifest(ship)
    assert (manifest.source, manifest.public_files, manifest.private_files) == (Source.UNVERIFIED, 4, 1)


def test_competitions_are_named_by_id_with_a_data_directory_or_a_registry(registry, tmp_path):
    manifest = prepare("spaceship-titanic@v2", data_dir=tmp_path / "data", rehearsal=True)
    assert (manifest.competition_id, manifest.version) == ("spaceship-titanic", "v2")
    assert (tmp_path / "data" / "spaceship-titanic" / "prepared-v2").is_dir()
    assert prepare("demo-wine", registry=registry).source is Source.EMBEDDED
    assert is_dataset_prepared(registry.get_competition("demo-wine"))


def test_zip_in_the_data_directory_is_found_and_unpacked(ship):
    home = ship.raw_dir.parent
    home.mkdir(parents=True)
    shutil.copy(SHIP_ZIP, home / "spaceship-titanic.zip")
    prepare(ship, skip_verification=True)
    assert sorted(path.name for path in home.iterdir() if path.name != ".lock") == [
        "prepared",
        "raw",
        "spaceship-titanic.zip",
    ]
    assert prepare(ship, keep_raw=False, force=True, skip_verification=True).source is Source.UNVERIFIED
    assert not ship.raw_dir.exists()


def test_files_that_are_not_on_record_are_refused_unless_told_otherwise(ship, unpacked):
    ship.raw_dir.parent.mkdir(parents=True)
    unpacked.rename(ship.raw_dir)
    with pytest.raises(ChecksumError, match=r"public/train\.csv.* differ"):
        prepare(ship)
    assert not is_dataset_prepared(ship)
    assert prepare(ship, skip_verification=True).source is Source.UNVERIFIED


def test_files_on_record_are_verified(tmp_path):
    folder = tmp_path / "own" / "my-task"
    shutil.copytree(COMPETITIONS_DIR / "spaceship_titanic", folder)
    declaration = folder / "competition.yaml"
    declaration.write_text(declaration.read_text(encoding="utf-8").replace("id: spaceship-titanic", "id: my-task"))
    competition = Registry(tmp_path / "data", (folder,)).get_competition("my-task")
    assert prepare(competition, raw=SHIP_ZIP).source is Source.UNVERIFIED
    recorded = "".join(
        f"{part}:\n" + "".join(f"  {name}: {md5}\n" for name, md5 in generate_checksums(path).items())
        for part, path in (("public", competition.public_dir), ("private", competition.private_dir))
    )
    (folder / "checksums.yaml").write_text(recorded)
    assert prepare(competition, raw=SHIP_ZIP).source is Source.KAGGLE
    with pytest.raises(PreparationError, match="already prepared from kaggle data"):
        prepare(competition, rehearsal=True)
    assert data_source(competition) is Source.KAGGLE
    assert prepare(competition, rehearsal=True, force=True).source is Source.REHEARSAL


def test_rehearsal_is_made_once_and_gives_way_to_real_data(ship):
    first = prepare(ship, rehearsal=True)
    assert first.source is Source.REHEARSAL
    assert prepare(ship, rehearsal=True) == first
    with pytest.raises(RawDataError, match="no raw data of spaceship-titanic"):
        prepare(ship)
    assert is_dataset_prepared(ship)
    assert prepare(ship, raw=SHIP_ZIP).source is Source.UNVERIFIED
    with pytest.raises(PreparationError, match="use --force"):
        prepare(ship, rehearsal=True)
    assert data_source(ship) is Source.UNVERIFIED


def test_versions_lie_side_by_side(registry, ship):
    second = registry.get_competition("spaceship-titanic@v2")
    prepare(ship, rehearsal=True)
    assert not is_dataset_prepared(second)
    prepare(second, rehearsal=True)
    assert ship.prepared_dir.parent == second.prepared_dir.parent
    assert results(ship) != results(second)
    assert read_manifest(second).version == "v2"


def test_embedded_data_need_no_raw_data(registry):
    competition = registry.get_competition("demo-wine")
    assert prepare(competition).source is Source.EMBEDDED
    with pytest.raises(RawDataError, match="needs none"):
        prepare(registry.get_competition("demo-wine"), rehearsal=True, force=True)


@pytest.mark.skipif(os.geteuid() != 0, reason="only jobs of root run as another user")
def test_jobs_of_root_can_read_the_data_whatever_the_umask_is(registry):
    competition = registry.get_competition("demo-wine")
    before = os.umask(0o077)
    try:
        prepare(competition)
    finally:
        os.umask(before)
    assert competition.public_dir.stat().st_mode & 0o777 == 0o755
    assert all(path.stat().st_mode & 0o444 == 0o444 for path in competition.public_dir.iterdir())
    assert competition.answers.stat().st_mode & 0o077 == 0


def test_raw_data_marked_as_rehearsal_count_as_such(ship, unpacked):
    (unpacked / "rehearsal.json").write_text("{}")
    assert prepare(ship, raw=unpacked).source is Source.REHEARSAL


def test_raw_and_rehearsal_exclude_each_other(ship):
    with pytest.raises(UsageError, match="exclude each other"):
        prepare(ship, raw=SHIP_ZIP, rehearsal=True)


@pytest.mark.parametrize("what", ["nothing", "an empty folder", "another competition", "a folder above"])
def test_wrong_raw_data_are_refused_and_leave_nothing(what, ship, unpacked, tmp_path):
    (tmp_path / "empty").mkdir()
    raw = {
        "nothing": tmp_path / "nothing",
        "an empty folder": tmp_path / "empty",
        "another competition": LEAF_ZIP,
        "a folder above": unpacked.parent,
    }[what]
    with pytest.raises(PreparationError):
        prepare(ship, raw=raw)
    assert nothing_is_left(ship)
    assert prepare(ship, raw=unpacked).public_files == 4


def test_raw_table_without_its_columns_is_refused_in_words(ship, unpacked):
    (unpacked / "train.csv").write_text("a,b\n1,2\n3,4\n")
    with pytest.raises(PreparationError, match="most likely its raw data are incomplete or belong"):
        prepare(ship, raw=unpacked)
    assert nothing_is_left(ship)


def link(name: str) -> zipfile.ZipInfo:
    member = zipfile.ZipInfo(name)
    member.create_system = 3
    member.external_attr = (stat.S_IFLNK | 0o777) << 16
    return member


@pytest.mark.filterwarnings("ignore:Duplicate name")
@pytest.mark.parametrize(
    "members",
    [["../train.csv"], ["/train.csv"], [link("train.csv")], ["train.csv", "train.csv"], None],
    ids=["parent", "root", "link", "twice", "damaged"],
)
def test_bad_archive_is_refused_and_leaves_nothing(members, ship, tmp_path):
    archive = tmp_path / "raw.zip"
    with zipfile.ZipFile(archive, "w") as file:
        for member in members or ["train.csv"]:
            file.writestr(member, "PassengerId,Transported\n" * 100)
    if members is None:
        archive.write_bytes(archive.read_bytes()[:-30])
    with pytest.raises(ArchiveError, match=r"raw\.zip"):
        prepare(ship, raw=archive)
    assert nothing_is_left(ship)


def test_failed_preparation_keeps_the_old_data(ship, tmp_path):
    prepare(ship, raw=SHIP_ZIP)
    before = digests(ship.prepared_dir)
    with pytest.raises(PreparationError):
        prepare(ship, raw=LEAF_ZIP)
    assert digests(ship.prepared_dir) == before


def test_data_of_another_program_that_are_not_on_record_are_refused_unless_told_otherwise(ship):
    prepare(ship, raw=SHIP_ZIP)
    (ship.prepared_dir / MANIFEST).unlink()
    with pytest.raises(ChecksumError, match=r"prepared by another program, and .*train\.csv.* differ.*--force"):
        prepare(ship)
    assert is_dataset_prepared(ship)
    assert prepare(ship, skip_verification=True).source is Source.UNKNOWN
    (ship.prepared_dir / MANIFEST).write_text("{}")
    assert data_source(ship) is Source.UNKNOWN


def test_doing_it_twice_by_the_clients_name_is_fine_and_quick(ship):
    prepare(ship, raw=SHIP_ZIP)
    before = read_manifest(ship)
    download_and_prepare_dataset(ship)
    download_and_prepare_dataset(
        competition=ship,
        keep_raw=False,
        overwrite_checksums=False,
        overwrite_leaderboard=False,
        skip_verification=True,
    )
    assert read_manifest(ship) == before


KILL_AT_RANDOM = """
import os, random, signal, sys, time
from pathlib import Path
from mlebench.data import is_dataset_prepared, prepare
from mlebench.registry import Registry
import pandas, sklearn

competition = Registry(Path(sys.argv[1])).get_competition("leaf-classification")
expected = None

def files():
    return sorted(str(p) for p in competition.prepared_dir.rglob("*") if p.is_file())

prepare(competition, rehearsal=True)
expected, whole = files(), 0
draw = random.Random(5)
for _ in range(15):
    child = os.fork()
    if child == 0:
        while True:
            prepare(competition, rehearsal=True, force=True)
    time.sleep(draw.uniform(0.001, 0.15))
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    if is_dataset_prepared(competition):
        whole += 1
        assert files() == expected, set(files()) ^ set(expected)
    prepare(competition, rehearsal=True)
    assert files() == expected
    assert {p.name for p in competition.prepared_dir.parent.iterdir()} == {"prepared", ".lock"}
print(whole)
"""

TWO_AT_ONCE = """
import os, sys
from pathlib import Path
from mlebench.data import prepare
from mlebench.registry import Registry
import pandas, sklearn

competition = Registry(Path(sys.argv[1])).get_competition("leaf-classification")
children = []
for _ in range(2):
    children.append(os.fork())
    if children[-1] == 0:
        for _ in range(4):
            prepare(competition, rehearsal=True, force=True)
        os._exit(0)
assert [os.waitpid(child, 0)[1] for child in children] == [0, 0]
"""


def run(script: str, data_dir: Path) -> str:
    result = subprocess.run([sys.executable, "-c", script, data_dir], capture_output=True, text=True, timeout=300)
    assert result.returncode == 0, result.stderr
    return result.stdout


@pytest.mark.slow("programs")
def test_killed_preparation_never_leaves_half_and_the_next_one_succeeds(tmp_path):
    assert int(run(KILL_AT_RANDOM, tmp_path)) > 0


@pytest.mark.slow("programs")
def test_two_processes_may_prepare_at_once(tmp_path, prepared):
    run(TWO_AT_ONCE, tmp_path)
    competition = Registry(tmp_path).get_competition("leaf-classification")
    assert results(competition) == results(prepared("leaf-classification"))
    assert {path.name for path in competition.prepared_dir.parent.iterdir()} == {"prepared", ".lock"}


def test_a_table_in_place_of_an_archive_is_told_apart(registry, tmp_path):
    table = tmp_path / "train.csv"
    table.write_text("id,x\n1,2\n")
    with pytest.raises(RawDataError, match="the folder that contains it"):
        prepare(registry.get_competition("leaf-classification"), raw=table)
