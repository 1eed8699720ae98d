"""Catheters and lines in chest X-rays, and how well they are placed."""

from pathlib import Path

from mlebench.preparation import place_files, read_csv, train_test_split, write_csv

ID = "StudyInstanceUID"
UNGRADED = ["CVC - Normal", "Swan Ganz Catheter Present", "PatientID"]


def prepare(raw: Path, public: Path, private: Path) -> None:
    images, annotations = (read_csv(raw / name) for name in ("train.csv", "train_annotations.csv"))
    train, test = train_test_split(images, test_size=0.1)
    graded = images.columns.drop([ID, *UNGRADED])
    write_csv(train, public / "train.csv")
    write_csv(annotations[annotations[ID].isin(train[ID])], public / "train_annotations.csv")
    write_csv(test[[ID]].assign(**dict.fromkeys(graded, 0)), public / "sample_submission.csv")
    write_csv(test, private / "test.csv")

    for part, frame in (("train", train), ("test", test)):
        place_files(frame[ID] + ".jpg", raw / "train", public / part)
