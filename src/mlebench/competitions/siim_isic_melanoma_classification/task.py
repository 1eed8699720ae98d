"""Pictures of skin lesions with a few facts about the patient: is one malignant."""

from pathlib import Path

import pandas as pd

from mlebench.preparation import file_keys, place_files, read_csv_by_digits, read_tfrecord_texts, write_csv
from mlebench.tasks.split import Split

TEST_RECORDS = ["train00-2071.tfrec", "train06-2071.tfrec"]
KNOWN = ["image_name", "patient_id", "sex", "age_approx", "anatom_site_general_challenge"]


def prepare(raw: Path, public: Path, private: Path) -> None:
    records = raw / "tfrecords"
    lesions = read_csv_by_digits(raw / "train.csv")
    names = [name for file in TEST_RECORDS for name in read_tfrecord_texts(records / file, "image_name")]
    in_test = lesions["image_name"].isin(names)
    place_parts(lesions[~in_test], lesions[in_test], raw, public, private)

    train_records = sorted({path.name for path in records.glob("train*.tfrec")} - {*TEST_RECORDS})
    for part, files in (("train", train_records), ("test", TEST_RECORDS)):
        new_names = {name: f"{part}{place:02}-{name.split('-', 1)[1]}" for place, name in enumerate(files)}
        place_files(new_names, records, public / "tfrecords")


def prepare_v2(raw: Path, public: Path, private: Path, split: Split) -> None:
    lesions = read_csv_by_digits(raw / "train.csv")
    pictures = raw / "jpeg" / "train"
    train, test = split(
        lesions,
        group="patient_id",
        content=lambda rows: file_keys(pictures, rows["image_name"] + ".jpg", at_once=True),
    )
    place_parts(train, test, raw, public, private)


def place_parts(train: pd.DataFrame, test: pd.DataFrame, raw: Path, public: Path, private: Path) -> None:
    write_csv(train, public / "train.csv")
    write_csv(test[KNOWN], public / "test.csv")
    write_csv(test[["image_name"]].assign(target=0), public / "sample_submission.csv")
    write_csv(test[["image_name", "target"]], private / "test.csv")
    for part, frame in (("train", train), ("test", test)):
        place_files(frame["image_name"] + ".dcm", raw / "train", public / part)
        place_files(frame["image_name"] + ".jpg", raw / "jpeg" / "train", public / "jpeg" / part)
