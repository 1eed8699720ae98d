"""What each version of stanford-covid-vaccine hands out and grades."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from mlebench.battery.prepared import PreparedTask

ID = "stanford-covid-vaccine"


@pytest.fixture
def tasks(prepared, tmp_path):
    return [PreparedTask(prepared(label), tmp_path / "submission.csv") for label in (ID, f"{ID}@v2")]


def test_right_answers_sorted_by_id_are_right_in_v2_only(tasks):
    v1, v2 = (task.submit(task.gold.sort_values("id_seqpos"))[0].score for task in tasks)
    assert v1 > 0.1
    assert v2 == 0


def test_v2_has_the_pair_probabilities_of_each_molecule(tasks):
    v1, v2 = (task.competition.public_dir for task in tasks)
    assert not (v1 / "bpps").exists()
    for part in ("train", "test"):
        for molecule in pd.read_json(v2 / f"{part}.json", lines=True).itertuples():
            assert np.load(v2 / "bpps" / f"{molecule.id}.npy").shape == (molecule.seq_length, molecule.seq_length)


def test_all_test_molecules_of_v2_passed_the_filter(tasks):
    train, test = (
        pd.read_json(tasks[1].competition.public_dir / f"{part}.json", lines=True) for part in ("train", "test")
    )
    molecules = pd.read_json(tasks[0].competition.public_dir / "train.json", lines=True)
    noisy = set(molecules.loc[molecules["SN_filter"] == 0, "id"])
    assert not noisy & set(test["id"])
    assert noisy <= set(train["id"])
