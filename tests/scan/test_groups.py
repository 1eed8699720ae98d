from __future__ import annotations

import numpy as np
import pytest

from mlebench.scan.groups import scan_groups


@pytest.fixture
def patients(make, rows, rng):
    """A task of patients with four items each; `label_of` gives the labels of all items from the patients' numbers."""

    def make_patients(label_of, **columns):
        patient = rng.permutation(np.repeat(np.arange(100), 4))
        table = rows(400, patient=[f"p{number:03}" for number in patient], label=label_of(patient))
        table = table.assign(**{name: values(patient) for name, values in columns.items()})
        return table.iloc[:300].reset_index(drop=True), table.iloc[300:].reset_index(drop=True)

    return make_patients


def test_patients_on_both_sides_with_like_answers_are_found(make, patients, scan):
    (finding,) = scan(scan_groups, make(*patients(lambda patient: np.where(patient % 2, "cat", "dog"))))
    assert (finding.column, finding.file) == ("patient", "test.csv")
    assert finding.number > 0.8


def test_patients_whose_answers_differ_are_silent(make, patients, rng, scan):
    assert scan(scan_groups, make(*patients(lambda patient: rng.choice(["cat", "dog"], len(patient))))) == []


def test_patients_on_one_side_are_silent(make, patients, scan):
    train, test = patients(lambda patient: np.where(patient % 2, "cat", "dog"))
    test["patient"] = "t" + test["patient"]
    assert scan(scan_groups, make(train, test)) == []


def test_groups_named_in_ids_are_found(make, patients, scan):
    train, test = patients(lambda patient: np.where(patient % 2, "cat", "dog"))
    train, test = (table.assign(id=table["patient"] + "_" + table["id"]) for table in (train, test))
    (finding,) = scan(scan_groups, make(train.drop(columns="patient"), test.drop(columns="patient")))
    assert "beginning of the id" in finding.what


def test_a_smooth_feature_with_repeated_values_is_silent(make, rows, rng, scan):
    size = rng.integers(0, 150, 400)
    table = rows(400, size=size, label=np.where(size + rng.normal(0, 20, 400) > 75, "cat", "dog"))
    train, test = table.iloc[:300].reset_index(drop=True), table.iloc[300:].reset_index(drop=True)
    assert scan(scan_groups, make(train, test)) == []
