"""Pictures of skin lesions with a few facts about the patient: is one malignant."""

from pathlib import Path

from mlebench.preparation import place_files, read_csv_by_digits, read_tfrecord_texts, write_csv

TEST_RECORDS = ["train00-2071.tfrec", "train06-2071.tfrec"]
KNOWN = ["image_name", "patient_id", "sex", "age_approx", "anatom_site_general_challenge"]


def prepare(raw: Path, public: Path, private: Path) -> None:
    records = raw / "tfrecords"
    lesions = read_csv_by_digits(raw / "train.csv")
    names = [name for file in TEST_RECORDS for name in read_tfrecord_texts(records / file, "image_name")]
    in_test = lesions["image_name"].isin(names)
    train, test = lesions[~in_test], lesions[in_test]
    write_csv(train, public / "train.csv")
    write_csv(test[KNOWN], public / "test.csv")
    write_csv(test[["image_name"]].assign(target=0), public / "sample_submission.csv")
    write_csv(test[["image_name", "target"]], private / "test.csv")

    train_records = sorted({path.name for path in records.glob("train*.tfrec")} - {*TEST_RECORDS})
    for part, frame, files in (("train", train, train_records), ("test", test, TEST_RECORDS)):
        place_files(frame["image_name"] + ".dcm", raw / "train", public / part)
        place_files(frame["image_name"] + ".jpg", raw / "jpeg" / "train", public / "jpeg" / part)
        new_names = {name: f"{part}{place:02}-{name.split('-', 1)[1]}" for place, name in enumerate(files)}
        place_files(new_names, records, public / "tfrecords")
