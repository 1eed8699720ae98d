from __future__ import annotations

import io

import numpy as np
import pydicom
import pytest
from PIL import Image

from mlebench.scan.finding import NothingToScanError
from mlebench.scan.headers import facts_of, scan_headers


@pytest.fixture
def pictures(make, rows, rng):
    def make_pictures(width_of):
        test = rows(60)[["id", "label"]]
        public = {}
        for row in test.itertuples():
            width = width_of(row.label)
            out = io.BytesIO()
            Image.fromarray(rng.integers(0, 255, (20, width), dtype=np.uint8).astype(np.uint8)).save(out, "PNG")
            public[f"test/{row.id}.png"] = out.getvalue()
        return make(None, test, public)

    return make_pictures


def test_dimensions_that_follow_the_class_are_found(pictures, scan):
    found = scan(scan_headers, pictures(lambda label: 20 if label == "cat" else 30))
    assert "width" in [finding.column for finding in found]


def test_random_dimensions_are_silent(pictures, rng, scan):
    assert scan(scan_headers, pictures(lambda label: int(rng.integers(20, 30)))) == []


def test_tables_have_no_headers(make, rows, scan):
    with pytest.raises(NothingToScanError):
        scan(scan_headers, make(rows(40), rows(40)))


def test_tags_of_dicom_and_exif_files_are_read():
    data = pydicom.Dataset()
    data.file_meta = pydicom.dataset.FileMetaDataset()
    data.file_meta.TransferSyntaxUID = pydicom.uid.ExplicitVRLittleEndian
    data.BodyPartExamined, data.PatientSex = "CHEST", "F"
    out = io.BytesIO()
    pydicom.dcmwrite(out, data)
    assert facts_of("a.dcm", out.getvalue())["DICOM field BodyPartExamined"] == "CHEST"
    exif = Image.Exif()
    exif[271] = "Canon"
    picture = io.BytesIO()
    Image.new("L", (4, 3)).save(picture, "JPEG", exif=exif)
    facts = facts_of("a.jpg", picture.getvalue())
    assert (facts["width"], facts["EXIF field Make"]) == (4, "Canon")


@pytest.mark.parametrize("name", ["a.png", "a.dcm", "a.wav", "a.txt"])
def test_damaged_files_have_no_facts(name):
    assert facts_of(name, b"\x00\xff" * 50) == {}
