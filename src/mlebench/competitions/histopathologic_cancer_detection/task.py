"""Patches of lymph node sections: is there tumour tissue in the centre."""

from pathlib import Path

from mlebench.preparation import place_files, read_csv, train_test_split, write_csv


def prepare(raw: Path, public: Path, private: Path) -> None:
    labels = read_csv(raw / "train_labels.csv")
    unlabelled = sum(path.name.endswith(".tif") for path in (raw / "test").iterdir())
    share = unlabelled / (len(labels) + unlabelled)  # Kaggle's own share of test patches
    train, test = (part.sort_index() for part in train_test_split(labels, test_size=share))
    write_csv(train, public / "train_labels.csv")
    write_csv(test.assign(label=0), public / "sample_submission.csv")
    write_csv(test, private / "answers.csv")

    for part, frame in (("train", train), ("test", test)):
        place_files(frame["id"] + ".tif", raw / "train", public / part)
