"""Which side the images of a patient are on."""

from __future__ import annotations

import pytest

from mlebench.ground.tables import read_csv


@pytest.mark.parametrize(
    ("version", "table"), [("v1", "HuBMAP-20-dataset_information.csv"), ("v2", "image_information.csv")]
)
def test_only_v2_keeps_the_images_of_a_patient_together(prepared, version, table):
    public = prepared(f"hubmap-kidney-segmentation@{version}").public_dir
    information = read_csv(public / table)
    in_test = information["image_file"].str.removesuffix(".tiff").isin(read_csv(public / "sample_submission.csv")["id"])
    shared = set(information["patient_number"][in_test]) & set(information["patient_number"][~in_test])
    assert bool(shared) == (version == "v1")
    assert (information["glomerulus_segmentation_file"].isna() == in_test).all() == (version == "v2")
