"""Diseases of cassava plants from photos of their leaves."""

from pathlib import Path

from mlebench.preparation import place_files, read_csv, read_tfrecord_texts, split_positions, write_csv


def prepare(raw: Path, public: Path, private: Path) -> None:
    prepare_parts(raw, public, private, parts_with_records=("train", "test"))


def prepare_without_test_records(raw: Path, public: Path, private: Path) -> None:
    prepare_parts(raw, public, private, parts_with_records=("train",))


def prepare_parts(raw: Path, public: Path, private: Path, parts_with_records: tuple[str, ...]) -> None:
    files = sorted(file for file in (raw / "train_tfrecords").glob("*.tfrec") if file.is_file())
    drawn = [[files[place] for place in part] for part in split_positions(len(files), test_size=0.1)]
    records = dict(zip(("train", "test"), drawn, strict=True))
    for part in parts_with_records:
        renamed = {
            file.name: f"ld_{part}{number:02}-{file.stem.partition('-')[2]}.tfrec"
            for number, file in enumerate(records[part])
        }
        place_files(renamed, raw / "train_tfrecords", public / f"{part}_tfrecords")

    photos = read_csv(raw / "train.csv")
    in_test = photos["image_id"].isin(
        [name for file in records["test"] for name in read_tfrecord_texts(file, "image_name")]
    )
    train, test = photos[~in_test], photos[in_test]
    write_csv(train, public / "train.csv")
    write_csv(test.assign(label=4), public / "sample_submission.csv")
    write_csv(test, private / "test.csv")
    for part, rows in (("train", train), ("test", test)):
        place_files(rows["image_id"], raw / "train_images", public / f"{part}_images")
    place_files(["label_num_to_disease_map.json"], raw, public)
