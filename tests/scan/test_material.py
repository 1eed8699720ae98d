from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

from mlebench.scan.material import Material


@pytest.mark.parametrize(
    "path", ["test/{id}.png", "test/{id}/1.png", "test/{id}_red.png", "a/b/{id}.nii.gz", "test/IMG-{id}.png"]
)
def test_test_items_are_found_by_the_names_of_files_and_folders(make, rows, path):
    test = rows(20)[["id", "label"]].assign(id=[f"{number}" for number in range(300, 320)])
    material = Material(make(None, test, {path.format(id=key): b"x" for key in test["id"]}))
    found = material.test_item_of[material.test_item_of >= 0]
    assert sorted(found.tolist()) == list(range(20))


def test_ids_of_parts_are_those_of_the_files_without_the_last_part(make, rows):
    whole = [f"{number:x}" for number in range(400, 420)]
    test = pd.DataFrame({"id": [f"{name}_{part}" for name in whole for part in "ab"], "label": ["cat", "dog"] * 20})
    material = Material(make(None, test, {f"test/{name}.png": b"x" for name in whole}))
    assert material.test.keys == whole


def test_rows_of_the_test_table_are_in_the_order_of_the_items(make, rows):
    train, test = rows(30), rows(20)
    competition = make(train, test)
    test.drop(columns="label").iloc[::-1].to_csv(competition.public_dir / "test.csv", index=False)
    material = Material(competition)
    assert material.test.table.frame["id"].tolist() == test["id"].tolist()
    assert material.test.rows.tolist() == list(range(19, -1, -1))


def test_train_items_have_answers_in_the_classes_of_the_test_items(make, rows):
    train, test = rows(30), rows(20)
    material = Material(make(train.rename(columns={"label": "animal"}), test))
    (target,) = material.train.targets
    assert [target.classes[code] for code in target.values] == train["label"].tolist()


def test_train_answers_are_found_in_the_names_of_folders(make, rows):
    test = rows(20)[["id", "label"]]
    public = {f"train/{label}/{number}.png": b"x" for number in range(20) for label in ("cat", "dog")}
    public |= {f"test/{key}.png": b"x" for key in test["id"]}
    material = Material(make(None, test, public))
    assert np.bincount(material.train.targets[0].values).tolist() == [20, 20]


def test_json_files_of_images_and_annotations_are_a_table(make, rows):
    test = rows(20)[["id", "label"]].assign(label=np.arange(20) % 3)
    content = {
        "images": [{"id": number, "file_name": f"{number}.jpg"} for number in range(30)],
        "annotations": [{"image_id": number, "category_id": number % 3, "id": number} for number in range(30)],
    }
    material = Material(make(None, test, {"train.json": json.dumps(content).encode()}))
    assert material.train.targets[0].values.tolist() == [number % 3 for number in range(30)]
