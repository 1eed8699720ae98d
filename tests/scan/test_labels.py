from __future__ import annotations

import io
import json
import zipfile

import numpy as np
import pandas as pd
import pytest
from scipy.io import savemat

from mlebench.scan.labels import fields_of, scan_labels


@pytest.fixture
def records(make, rows):
    """A task with a JSON file per test item; the argument gives its content from the label."""

    def make_records(content):
        test = rows(60)[["id", "label"]]
        public = {f"test/{row.id}.json": json.dumps(content(row)).encode() for row in test.itertuples()}
        return make(None, test, public)

    return make_records


def test_a_field_that_goes_with_the_answer_is_found(records, scan):
    (finding,) = scan(scan_labels, records(lambda row: {"meta": {"code": 7 if row.label == "cat" else 9}}))
    assert (finding.file, finding.column) == ("test/*.json", "meta.code")
    assert finding.number > 0.9


def test_a_filled_field_with_the_name_of_an_answer_is_found(records, rng, scan):
    (finding,) = scan(scan_labels, records(lambda row: {"annotations": [{"x": int(rng.integers(99))}]}))
    assert finding.column.startswith("annotations")


def test_fields_that_say_nothing_are_silent(records, rng, scan):
    assert scan(scan_labels, records(lambda row: {"size": int(rng.integers(99)), "camera": "A"})) == []


def test_answers_written_in_files_are_found(make, rng, scan):
    words = [" ".join(rng.choice(list("abcdefgh"), 8)) for _ in range(40)]
    test = pd.DataFrame({"id": [f"{number:04x}" for number in range(500, 540)], "label": words})
    public = {f"test/{row.id}.txt": f"header\n{row.label}\nend".encode() for row in test.itertuples()}
    (finding,) = scan(scan_labels, make(None, test, public, shape={"id": "id", "targets": ["label"], "values": "text"}))
    assert finding.file == "test/*.txt"


def test_files_without_answers_are_silent(make, rng, scan):
    words = [" ".join(rng.choice(list("abcdefgh"), 8)) for _ in range(40)]
    test = pd.DataFrame({"id": [f"{number:04x}" for number in range(500, 540)], "label": words})
    public = {f"test/{key}.txt": f"header\n{words[0]}\nend".encode() for key in test["id"]}
    shape = {"id": "id", "targets": ["label"], "values": "text"}
    assert scan(scan_labels, make(None, test, public, shape=shape)) == []


@pytest.fixture
def walks(make, rng):
    """A task of walks with 20 positions each, and a log per walk; the argument chooses whose positions it holds."""

    def make_walks(logged):
        test = pd.DataFrame({"id": np.repeat(["walk1", "walk2", "walk3"], 20), "t": np.tile(np.arange(20), 3)})
        test["lat"] = (37 + rng.random(60)).round(6)
        minutes = ((test["lat"] - 37) * 60).map("$GPGGA,37{:010.7f},N".format)
        public = {
            f"test/walk{number}/log.nmea": "\n".join(minutes[test["id"] == f"walk{logged(number)}"]).encode()
            for number in (1, 2, 3)
        }
        return make(None, test, public, shape={"id": ["id", "t"], "targets": ["lat"], "values": "numbers"})

    return make_walks


def test_positions_written_as_degrees_and_minutes_are_found(walks, scan):
    (finding,) = scan(scan_labels, walks(lambda number: number))
    assert (finding.file, finding.column) == ("test/*/log.nmea", "lat")


def test_positions_of_others_are_silent(walks, scan):
    assert scan(scan_labels, walks(lambda number: 4 if number == 3 else number % 3 + 2)) == []


def test_another_table_that_names_test_items_and_has_their_answers_is_found(make, rows, scan):
    train, test = rows(60), rows(60)
    old = pd.DataFrame({"image": test["id"], "kind": test["label"].map({"cat": "feline", "dog": "canine"})})
    (finding,) = scan(scan_labels, make(train, test, {"old.csv": old.to_csv(index=False).encode()}))
    assert (finding.file, finding.column) == ("old.csv", "kind")


def test_another_table_without_answers_is_silent(make, rows, rng, scan):
    train, test = rows(60), rows(60)
    old = pd.DataFrame({"image": test["id"], "kind": rng.choice(["a", "b"], 60)})
    assert scan(scan_labels, make(train, test, {"old.csv": old.to_csv(index=False).encode()})) == []


def test_fields_of_zipped_matlab_files_are_read():
    out = io.BytesIO()
    savemat(out, {"Video": {"Labels": [{"Name": "ciao"}, {"Name": "basta"}], "Rate": 20}})
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("a.mat", out.getvalue())
    fields = fields_of("a.zip", packed.getvalue())
    assert fields["Video.Rate"] == 20
    assert "ciao" in str(fields)


@pytest.mark.parametrize("name", ["a.json", "a.mat", "a.zip", "a.bin"])
def test_damaged_files_have_no_fields(name):
    assert fields_of(name, np.random.default_rng(0).bytes(100)) == {}
