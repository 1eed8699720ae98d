"""Severity of diabetic retinopathy from photos of the retina."""

from pathlib import Path

from mlebench.preparation import place_files, read_csv, train_test_split, write_csv


def prepare(raw: Path, public: Path, private: Path) -> None:
    train, test = train_test_split(read_csv(raw / "train.csv"), test_size=0.1)
    write_csv(train, public / "train.csv")
    write_csv(test[["id_code"]], public / "test.csv")
    write_csv(test.assign(diagnosis=0), public / "sample_submission.csv")
    write_csv(test, private / "test.csv")
    for part, photos in (("train", train), ("test", test)):
        place_files((f"{id}.png" for id in photos["id_code"]), raw / "train_images", public / f"{part}_images")
