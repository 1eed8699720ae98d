"""Rehearsal data are small, reproducible, and reward learning."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pandas as pd
import py7zr
import pytest
from sklearn.ensemble import RandomForestClassifier

import mlebench
from mlebench.grading.judge import judge
from mlebench.tasks.registry import COMPETITIONS_DIR, Registry, folder_name

ROOT = Path(__file__).parent.parent
IDS = [
    id for id in Registry().list_competition_ids() if (COMPETITIONS_DIR / folder_name(id) / "rehearsal.zip").exists()
]
PICTURES = (".png", ".jpg", ".jpeg")


@pytest.fixture(scope="session")
def remade(tmp_path_factory):
    folder = tmp_path_factory.mktemp("rehearsal")
    command = [sys.executable, "-m", "benchmarks.rehearsal", "--all", "--into", str(folder)]
    environment = os.environ | {"PYTHONPATH": str(Path(mlebench.__file__).parent.parent)}
    subprocess.run(command, cwd=ROOT, env=environment, check=True, stdout=subprocess.DEVNULL)
    return folder


def contents(archive: bytes) -> dict[str, bytes | None]:
    """Return the members of an archive and of archives in it; of pictures only the names, because encoders differ."""
    found: dict[str, bytes | None] = {}
    with zipfile.ZipFile(io.BytesIO(archive)) as file:
        for name in file.namelist():
            if name.endswith(".zip"):
                found |= {f"{name}/{inner}": value for inner, value in contents(file.read(name)).items()}
            elif name.endswith(".7z"):
                found |= {f"{name}/{inner}": value for inner, value in contents_of_7z(file.read(name)).items()}
            else:
                found[name] = None if name.endswith(PICTURES) else file.read(name)
    return found


def contents_of_7z(archive: bytes) -> dict[str, bytes]:
    factory = py7zr.io.BytesIOFactory(limit=2**30)
    with py7zr.SevenZipFile(io.BytesIO(archive)) as file:
        file.extractall(factory=factory)
    return {name: content.read() for name, content in factory.products.items() if content.seek(0) == 0}


@pytest.mark.slow("programs")
@pytest.mark.parametrize("competition_id", IDS)
def test_archives_are_small_and_what_their_makers_make(competition_id, remade):
    archive = (COMPETITIONS_DIR / folder_name(competition_id) / "rehearsal.zip").read_bytes()
    assert len(archive) < 100_000
    assert contents(archive) == contents((remade / f"{competition_id}.zip").read_bytes())


def test_a_model_beats_the_sample_submission_on_a_table(prepared, tmp_path):
    ship = prepared("spaceship-titanic")
    train, test = (pd.read_csv(ship.public_dir / f"{part}.csv") for part in ("train", "test"))
    features = pd.get_dummies(pd.concat([train, test])[["HomePlanet", "CryoSleep", "Spa", "VRDeck"]].astype(str))
    model = RandomForestClassifier(100, random_state=0).fit(features[: len(train)], train["Transported"])
    guess = test[["PassengerId"]].assign(Transported=model.predict(features[len(train) :]))
    guess.to_csv(tmp_path / "submission.csv", index=False)
    assert judge(tmp_path / "submission.csv", ship).score > judge(ship.sample_submission, ship).score + 0.1


def test_a_model_does_well_on_many_classes(prepared, tmp_path):
    leaf = prepared("leaf-classification")
    train, test = (pd.read_csv(leaf.public_dir / f"{part}.csv") for part in ("train", "test"))
    model = RandomForestClassifier(60, random_state=0).fit(train.drop(columns=["id", "species"]), train["species"])
    guess = pd.read_csv(leaf.sample_submission).set_index("id")
    guess[model.classes_] += 20 * model.predict_proba(test.drop(columns="id"))
    guess.div(guess.sum(axis=1), axis=0).to_csv(tmp_path / "submission.csv")
    assert judge(tmp_path / "submission.csv", leaf).score < 2
