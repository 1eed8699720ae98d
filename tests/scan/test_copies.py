from __future__ import annotations

import io
import zipfile

import pandas as pd

from mlebench.scan.copies import scan_copies


def files(table, folder, rng):
    return {f"{folder}/{key}.bin": rng.bytes(100) for key in table["id"]}


def test_a_test_file_in_the_training_folder_is_found(make, rows, rng, scan):
    train, test = rows(40)[["id", "label"]], rows(10)[["id", "label"]]
    public = files(train, "train", rng) | files(test, "test", rng)
    public[f"train/{train['id'][3]}.bin"] = public[f"test/{test['id'][5]}.bin"]
    (finding,) = scan(scan_copies, make(train, test, public))
    assert finding.number == 0.1
    assert [(pair.test, pair.other) for pair in finding.pairs] == [
        (f"test/{test['id'][5]}.bin", f"train/{train['id'][3]}.bin")
    ]
    assert finding.details["same answer"] == float(train["label"][3] == test["label"][5])


def test_a_test_file_in_a_public_archive_is_found(make, rows, rng, scan):
    train, test = rows(40)[["id", "label"]], rows(10)[["id", "label"]]
    public = files(test, "test", rng)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("old/1.bin", rng.bytes(100))
        archive.writestr("old/2.bin", public[f"test/{test['id'][0]}.bin"])
    (finding,) = scan(scan_copies, make(train, test, public | {"old.zip": packed.getvalue()}))
    assert finding.pairs[0].other == "old.zip!old/2.bin"


def test_different_files_are_silent(make, rows, rng, scan):
    train, test = rows(40)[["id", "label"]], rows(10)[["id", "label"]]
    assert scan(scan_copies, make(train, test, files(train, "train", rng) | files(test, "test", rng))) == []


def test_a_row_on_both_sides_is_found(make, rows, scan):
    train, test = rows(40), rows(10)
    for name in ("width", "height"):
        test.loc[2, name] = train.loc[7, name]
    (finding,) = scan(scan_copies, make(train, test))
    assert finding.details["test items"] == 1
    assert finding.file == "test.csv"


def test_a_text_on_both_sides_is_found_whatever_its_case_and_blanks(make, rows, scan):
    texts = [f"The quick brown fox number {number} jumps over the dog" for number in range(50)]
    train, test = rows(40, text=texts[:40]), rows(10, text=texts[40:])
    test.loc[4, "text"] = texts[0].upper().replace(" ", "  ")
    (finding,) = scan(scan_copies, make(train, test))
    assert finding.column == "text"


def test_different_rows_are_silent(make, rows, scan):
    assert scan(scan_copies, make(rows(40), rows(10))) == []


def test_the_same_files_in_an_archive_of_the_test_part_are_silent(make, rows, rng, scan):
    test = rows(10)[["id", "label"]]
    public = files(test, "test", rng)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for path, content in public.items():
            archive.writestr(path, content)
    assert scan(scan_copies, make(pd.DataFrame(rows(9)), test, public | {"test.zip": packed.getvalue()})) == []
