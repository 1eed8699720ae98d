"""`mlebench prepare` and `mlebench data` download, prepare, verify and remove data, from a fake Kaggle."""

from __future__ import annotations

import json
import os
import re
import shutil

import pytest
import yaml

from mlebench.data import generate_checksums, prepare
from mlebench.tasks.registry import Registry

from ..data.conftest import DECLARATION, TASK, zip_of_pictures
from ..kaggle.server import Fake, FakeKaggle, Storage

NAMES = ("pictures", "posters")


@pytest.fixture
def own(tmp_path):
    """A folder with two custom competitions."""
    for name in NAMES:
        folder = tmp_path / "own" / name
        folder.mkdir(parents=True)
        (folder / "competition.yaml").write_text(DECLARATION.format(id=name) + "sample_score: 0.5\nsize_gb: 0.1\n")
        (folder / "task.py").write_text(TASK)
        (folder / "brief.md").write_text("# Pictures\n\nName what is on them.\n")
        (folder / "leaderboard.csv").write_text("score\n0.9\n0.8\n0.7\n")
    return tmp_path / "own"


@pytest.fixture
def archive(tmp_path):
    return zip_of_pictures(tmp_path / "pictures.zip", size=20_000)


@pytest.fixture
def kaggle(archive):
    fakes = {name: Fake(Storage(archive.read_bytes()), pages={"Description": "All of Kaggle's."}) for name in NAMES}
    with FakeKaggle(fakes).running() as server:
        yield server


@pytest.fixture
def call(mlebench, own, kaggle, monkeypatch, tmp_path):
    """A function that runs a command for the two competitions."""
    for name in [name for name in os.environ if "KAGGLE" in name]:
        monkeypatch.delenv(name)

    def call(*args, credentials=True, names=NAMES):
        chosen = [word for name in names for word in ("-c", name)]
        environment = kaggle.environment if credentials else kaggle.without_credentials
        return mlebench(
            *args, *chosen, "--folder", own, "--data-dir", tmp_path / "data", **environment, HOME=str(tmp_path)
        )

    return call


def record(own, archive, tmp_path, name="pictures"):
    """Add the checksums of prepared files to a competition."""
    competition = Registry(tmp_path / "recording", (own,)).get_competition(name)
    prepare(competition, raw=archive, brief=True)
    found = {
        "public": generate_checksums(competition.public_dir),
        "private": generate_checksums(competition.private_dir),
    }
    (own / name / "checksums.yaml").write_text(yaml.safe_dump(found))


@pytest.mark.slow("programs")
def test_plan_asks_kaggle_for_sizes_and_rules_and_prepare_downloads(call, kaggle, archive, tmp_path):
    plan = call("data", "plan", "--json")
    assert plan.returncode == 0, plan.stderr
    found = json.loads(plan.stdout)
    assert [(row["state"], row["rules"], row["size_is"]) for row in found["rows"]] == [
        ("to download", "accepted", "measured")
    ] * 2
    assert found["download"] == 2 * archive.stat().st_size
    done = call("prepare", "--json")
    assert done.returncode == 0, done.stderr
    assert [(row["outcome"], row["description"]) for row in json.loads(done.stdout)] == [("made", "kaggle")] * 2
    assert "pictures: download" in done.stderr
    home = tmp_path / "data" / "pictures"
    assert sorted(path.name for path in home.iterdir()) == [".download.json", ".lock", "prepared"]
    assert "All of Kaggle's." in (home / "prepared" / "public" / "description.md").read_text()
    asked = len(kaggle.asked)
    again = call("prepare")
    assert re.search(r"posters +already there", again.stdout)
    assert len(kaggle.asked) == asked


@pytest.mark.slow("programs")
def test_rules_to_accept_are_listed_and_the_other_competitions_are_prepared(call, kaggle):
    kaggle.competitions["posters"].entered = False
    kaggle.competitions["posters"].refusal = (403, "You must accept this competition's rules before you'll be able to")
    plan = call("data", "plan")
    assert plan.returncode == 1
    assert "You must accept the rules of posters" in plan.stdout
    assert "https://www.kaggle.com/c/posters/rules" in plan.stdout
    done = call("prepare")
    assert done.returncode == 1
    assert "You must accept" in done.stderr
    assert "1 of 2 are not prepared: posters." in done.stderr
    assert re.search(r"pictures +made", done.stdout)


@pytest.mark.slow("programs")
def test_without_credentials_the_error_names_the_other_sources(call):
    plan = call("data", "plan", credentials=False)
    assert plan.returncode == 1
    assert "KAGGLE_API_TOKEN" in plan.stdout
    assert call("data", "plan", "--offline", credentials=False).returncode == 0
    done = call("prepare", credentials=False, names=["pictures"])
    assert done.returncode == 1
    assert "--raw PATH" in done.stderr
    assert "--rehearsal" in done.stderr


@pytest.mark.slow("programs")
def test_data_on_record_are_verified_including_the_score_of_the_sample(call, own, archive, tmp_path):
    record(own, archive, tmp_path)
    done = call("prepare", "--keep-raw", "--keep-zip", "--json", names=["pictures"])
    assert done.returncode == 0, done.stderr
    manifest = json.loads(done.stdout)[0]
    assert (manifest["source"], manifest["sample_checked"]) == ("kaggle", True)
    verified = call("data", "verify", names=[])
    assert verified.returncode == 0, verified.stdout
    assert "everything agrees" in verified.stdout
    status = json.loads(call("data", "status", "--json", names=[]).stdout)["competitions"][0]
    assert (status["label"], status["source"]) == ("pictures", "kaggle")
    assert status["raw_alone"] < status["raw"] / 5
    dry = call("data", "clean", "--raw", "--zips", "--dry-run", "--json", names=[])
    assert {removed["kind"] for removed in json.loads(dry.stdout)["removed"]} == {"raw", "zip"}
    home = tmp_path / "data" / "pictures"
    assert (home / "raw").exists()
    assert call("data", "clean", "--raw", "--zips", names=[]).returncode == 0
    assert not (home / "raw").exists()
    (home / "prepared" / "private" / "test.csv").write_text("id,label\n")
    broken = call("data", "verify", names=["pictures"])
    assert broken.returncode == 1
    assert "private/test.csv: was" in broken.stdout
    assert "scores on these answers are not comparable" in broken.stdout


@pytest.mark.slow("programs")
def test_another_score_of_the_sample_is_an_error(call, own, archive, tmp_path):
    declaration = own / "pictures" / "competition.yaml"
    declaration.write_text(declaration.read_text().replace("0.5", "0.75"))
    record(own, archive, tmp_path)
    done = call("prepare", names=["pictures"])
    assert done.returncode == 1
    assert "gets 0.5, but 0.75 is on record" in done.stderr
    verified = call("data", "verify", "--json", names=["pictures"])
    assert verified.returncode == 1
    assert "0.75" in json.loads(verified.stdout)[0]["sample_submission"]


def test_an_empty_data_directory_is_no_error_but_cleaning_needs_a_selection(call):
    assert call("data", "status", names=[]).returncode == 0
    assert "Nothing is prepared" in call("data", "verify", names=[]).stdout
    assert call("data", "verify").returncode == 1
    result = call("data", "clean")
    assert result.returncode == 2
    assert "--dry-run" in result.stderr


@pytest.mark.slow("programs")
def test_a_disk_that_is_too_small_is_an_error_before_the_first_byte(call, own, kaggle):
    for name in NAMES:
        declaration = own / name / "competition.yaml"
        declaration.write_text(declaration.read_text().replace("size_gb: 0.1", "size_gb: 9000000"))
    done = call("prepare", credentials=False)
    assert done.returncode == 3
    assert "--ignore-plan" in done.stderr
    assert kaggle.count("storage") == 0


@pytest.mark.slow("programs")
def test_a_truncated_zip_is_an_error_and_is_kept(call, archive, tmp_path):
    home = tmp_path / "data" / "pictures"
    home.mkdir(parents=True)
    shutil.copy(archive, home)
    with (home / "pictures.zip").open("r+b") as file:
        file.truncate(archive.stat().st_size // 2)
    done = call("prepare", names=["pictures"])
    assert done.returncode == 1
    assert "pictures.zip is damaged" in done.stderr
    assert sorted(path.name for path in home.iterdir()) == [".lock", "pictures.zip"]
